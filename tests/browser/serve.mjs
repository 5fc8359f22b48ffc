// Opens every view of `cupel serve` in Chromium, with and without JavaScript, light and dark, as a desk and
// a phone would, and on paper; axe-core must have nothing serious to say; numbers change while a hunt goes on.
// node serve.mjs ADDRESS FOLDER-FOR-SCREENSHOTS CUPEL CAMPAIGN
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
const require = createRequire(process.cwd() + "/");
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;

const [address, shots, cupel, campaign] = process.argv.slice(2);
const check = (holds, what) => {
    if (!holds) {
        console.error(`serve.mjs: ${what}`);
        process.exitCode = 1;
    }
};
const views = [["overview", ""], ["bugs", "bugs"], ["filtered", "bugs?verdict=compiler-crash&q=script"],
               ["bug", "bug/1"], ["missing", "bug/999"]];

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [name, path] of views)
    for (const [kind, width, height, scheme, script] of [["desk", 1200, 900, "light", true],
        ["phone", 390, 844, "dark", true], ["plain", 1200, 900, "light", false]]) {
        const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme,
            javaScriptEnabled: script, bypassCSP: false });
        const page = await context.newPage();
        page.on("request", (r) => check(r.url().startsWith(address), `${name} asks for ${r.url()}`));
        page.on("pageerror", (e) => check(false, `${name}: ${e}`));
        page.on("dialog", (d) => { check(false, `${name}: a dialog`); d.dismiss(); });
        page.on("console", (m) => check(m.type() !== "error" || name === "missing", `${name}: ${m.text()}`));
        await page.goto(address + path, { waitUntil: "load" });
        check((await page.locator("h1").count()) === 1, `${name}: not one h1`);
        const wide = await page.locator("html").evaluate((e) => e.scrollWidth).catch(() => 0);
        check(wide <= width, `${name} ${kind}: ${wide} pixels wide on a screen of ${width}`);
        if (name === "bug")
            check((await page.locator("pre.source").first().textContent()).length > 10, "no source");
        if (name === "filtered")
            check((await page.locator("tbody tr").count()) >= 1, "the filter leaves nothing");
        await page.screenshot({ path: `${shots}/${name}-${kind}.png` });
        await context.close();
    }

// axe cannot be injected past the page's own policy: it looks at the same pages with that lifted
const context = await browser.newContext({ bypassCSP: true });
for (const scheme of ["light", "dark"])
    for (const [name, path] of views) {
        const page = await context.newPage();
        await page.emulateMedia({ colorScheme: scheme });
        await page.goto(address + path, { waitUntil: "load" });
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run());
        for (const v of violations)
            if (["serious", "critical"].includes(v.impact))
                check(false, `${name} ${scheme}: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(" | ")}`);
        await page.close();
    }

// by keyboard: the first stop leads past the navigation
const page = await context.newPage();
await page.goto(address);
await page.keyboard.press("Tab");
check((await page.evaluate(() => document.activeElement.textContent)) === "To the content", "no skip link");

// on paper: no navigation, no form, nothing cut off, dark on white also for those who like it dark
for (const [name, path] of views) {
    const sheet = await context.newPage();
    await sheet.setViewportSize({ width: 720, height: 1000 });
    await sheet.emulateMedia({ media: "print", colorScheme: "dark" });
    await sheet.goto(address + path, { waitUntil: "load" });
    for (const part of ["header nav", "form", "footer"])
        for (const element of await sheet.locator(part).all())
            check(!(await element.isVisible()), `${name}: ${part} is printed`);
    const [wide, paper, ink] = await sheet.evaluate(() => [document.documentElement.scrollWidth,
        getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]);
    check(wide <= 720, `${name}: ${wide} pixels wide on paper of 720`);
    const light = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0) / 765;
    check(paper === "rgba(0, 0, 0, 0)" || light(paper) > 0.9, `${name}: paper is ${paper}`);
    check(light(ink) < 0.4, `${name}: ink is ${ink}`);
    const pdf = await sheet.pdf({ path: `${shots}/${name}.pdf`, format: "A4" });
    check(pdf.length > 2000, `${name}: nothing is printed`);
    await sheet.close();
}

// live: somebody hunts, and the numbers of a page that is open change; it is not loaded again
const number = (name) => page.locator(`[data-live=${name}]`).textContent().then(Number);
const [programs, compiles] = [await number("programs"), await number("compiles")];
await page.evaluate(() => { window.loadedOnce = true; });
const hunt = spawn(cupel, ["hunt", campaign, "--time", "60", "--quiet"], { stdio: "ignore" });
const changed = await page.waitForFunction(([p, c]) => {
    const now = (name) => Number(document.querySelector(`[data-live=${name}]`).textContent);
    return now("programs") > p && now("compiles") > c &&
        document.querySelector("[data-live=state]").textContent === "hunting";
}, [programs, compiles], { timeout: 55000 }).catch(() => null);
check(changed !== null, "the numbers of an open page stay what they were while somebody hunts");
check(await page.evaluate(() => window.loadedOnce === true), "the page was loaded again");
await page.screenshot({ path: `${shots}/live.png` });
hunt.kill("SIGTERM");
await new Promise((done) => hunt.on("exit", done));
const stopped = await page.waitForFunction(() => document.querySelector("[data-live=state]").textContent === "stopped",
    null, { timeout: 30000 }).catch(() => null);
check(stopped !== null, "an open page does not tell that the hunt has stopped");
await browser.close();
