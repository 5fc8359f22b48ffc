// Opens a page of `cupel report --html` in Chromium, as a phone and as a desk would: it must ask the
// network for nothing, run no script, show its charts, and not be wider than the screen.
// node report.mjs PAGE FOLDER-FOR-SCREENSHOTS
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
const require = createRequire(process.cwd() + "/");
const { chromium } = require("playwright-core");

const [page_file, shots] = process.argv.slice(2);
const check = (holds, what) => {
    if (!holds) {
        console.error(`report.mjs: ${what}`);
        process.exitCode = 1;
    }
};

const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox"],
});
for (const [name, width, height] of [["desk", 1200, 1000], ["phone", 390, 844]]) {
    const page = await browser.newPage({ viewport: { width, height } });
    const url = pathToFileURL(page_file).href;
    let dialogs = 0;
    page.on("request", (r) => check(r.url() === url, `asks for ${r.url()}`));
    page.on("pageerror", (e) => check(false, `error: ${e}`));
    page.on("dialog", (d) => { dialogs++; d.dismiss(); });
    await page.goto(url);
    check((await page.locator("section.bug").count()) > 0, "no bug on the page");
    check((await page.locator("svg").count()) >= 3, "charts are missing");
    check((await page.locator("script").count()) === 0, "there is a script");
    check((await page.locator("pre.source").first().innerText()).length > 10, "no source");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= width, `${name}: ${wide} pixels wide on a screen of ${width}`);
    check(dialogs === 0, "a dialog opened");
    await page.screenshot({ path: `${shots}/${name}.png`, fullPage: name === "desk" });
    await page.close();
}
await browser.close();
