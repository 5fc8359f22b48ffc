// Opens every view of `cupel serve` in Chromium, with and without JavaScript, light and dark, as a desk and
// a phone would; axe-core must have nothing serious to say.
// node serve.mjs ADDRESS FOLDER-FOR-SCREENSHOTS
import { createRequire } from "node:module";
const require = createRequire(process.cwd() + "/");
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;

const [address, shots] = process.argv.slice(2);
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
// live: the numbers come without a reload
await page.waitForFunction(() => performance.getEntriesByType("resource").some((r) => r.name.endsWith("/live.js")));
await browser.close();
