// Opens a page of `cupel report --html` in Chromium, as a desk, a phone and paper would: it must ask the
// network for nothing, run no script, show its charts, and not be wider than the screen; on paper
// nothing is folded away.
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

const media = [
    { name: "desk", width: 1200, height: 1000 },
    { name: "dark", width: 1200, height: 1000, emulate: { colorScheme: "dark" } },
    { name: "phone", width: 390, height: 844 },
    { name: "paper", width: 760, height: 1075, emulate: { media: "print" } },
];
const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox"],
});
for (const { name, width, height, emulate } of media) {
    const page = await browser.newPage({ viewport: { width, height } });
    const url = pathToFileURL(page_file).href;
    let dialogs = 0;
    page.on("request", (r) => check(r.url() === url, `asks for ${r.url()}`));
    page.on("pageerror", (e) => check(false, `error: ${e}`));
    page.on("dialog", (d) => { dialogs++; d.dismiss(); });
    await page.emulateMedia(emulate ?? {});
    await page.goto(url);
    check((await page.locator("section.bug").count()) > 0, "no bug on the page");
    check((await page.locator("figure > svg").count()) >= 4, "charts are missing");
    check((await page.locator("script").count()) === 0, "there is a script");
    for (const source of await page.locator("pre.source").allTextContents())
        check(source.length > 10, "a bug without its source");
    const links = await page.locator("nav a").evaluateAll((all) => all.map((a) => a.hash.slice(1)));
    for (const id of links)
        check((await page.locator(`#${id}`).count()) === 1, `a link to nowhere: ${id}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= width, `${name}: ${wide} pixels wide on a screen of ${width}`);
    // text in charts must be legible, and stay inside
    const charts = await page.locator("figure > svg").evaluateAll((all) => all.map((s) => {
        const box = s.getBoundingClientRect();
        return [...s.querySelectorAll("text")].map((t) => t.getBoundingClientRect())
            .map((t) => ({ small: t.height < 9, out: t.left < box.left - 1 || t.right > box.right + 1 }));
    }).flat());
    check(!charts.some((t) => t.small), `${name}: a chart's text is too small`);
    check(!charts.some((t) => t.out), `${name}: a chart's text is cut off`);
    if (name === "paper") {
        const folded = await page.locator("details > *:not(summary)").evaluateAll(
            (all) => all.filter((x) => x.getBoundingClientRect().height === 0).length);
        check(folded === 0, `${folded} parts are folded away on paper`);
        await page.pdf({ path: `${shots}/paper.pdf`, format: "A4" });
    }
    check(dialogs === 0, "a dialog opened");
    await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
    await page.close();
}
await browser.close();
