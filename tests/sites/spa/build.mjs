// Builds the applications: installs the pinned packages, then writes one minified file for each to built/.
//
//     node build.mjs            all of them
//     node build.mjs vue hash   some of them
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const run = (program, ...words) => execFileSync(program, words, { cwd: here, stdio: "inherit" });

const wanted = JSON.parse(readFileSync(join(here, "package.json"), "utf8")).devDependencies;
const isInstalled = Object.keys(wanted).every((name) => {
  const file = join(here, "node_modules", name, "package.json");
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).version === wanted[name];
});
if (!isInstalled) run("npm", "install", "--no-package-lock", "--no-audit", "--no-fund");
const { build } = await import("esbuild");

// Angular's packages are published half compiled; this finishes them, so that no compiler is shipped to the page.
const linkAngular = {
  name: "link-angular",
  async setup(task) {
    const { transformAsync } = await import("@babel/core");
    const { default: plugin } = await import("@angular/compiler-cli/linker/babel");
    task.onLoad({ filter: /@angular\/.*\.mjs$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      if (!source.includes("ɵɵngDeclare")) return { contents: source, loader: "js" };
      const linked = await transformAsync(source, { filename: path, plugins: [plugin], compact: false, configFile: false });
      return { contents: linked.code, loader: "js" };
    });
  },
};

const VUE = { __VUE_OPTIONS_API__: "false", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" };
const ANGULAR = { ngDevMode: "false", ngJitMode: "false", ngI18nClosureMode: "false", ngServerMode: "false" };
const APPLICATIONS = {
  react: { entry: "src/react/main.jsx" },
  "react-data": { entry: "src/react/data.jsx" },
  vue: { entry: "src/vue/main.js", define: VUE },
  hash: { entry: "src/hash/main.js", define: VUE },
  angular: {
    entry: ".angular/main.js",
    define: ANGULAR,
    plugins: [linkAngular],
    prepare: () => run("npx", "ngc", "-p", "src/angular/tsconfig.json"),
  },
};

const asked = process.argv.slice(2);
for (const name of asked.length ? asked : Object.keys(APPLICATIONS)) {
  const { entry, define = {}, plugins = [], prepare = () => {} } = APPLICATIONS[name];
  prepare();
  const outfile = join(here, "built", `${name}.js`);
  await build({
    entryPoints: [join(here, entry)],
    outfile,
    bundle: true,
    minify: true,
    charset: "utf8",
    legalComments: "inline",
    jsx: "automatic",
    format: "iife",
    target: "es2022",
    conditions: ["es2022", "module", "browser"],
    define: { "process.env.NODE_ENV": '"production"', ...define },
    plugins,
    logLevel: "warning",
  });
  console.log(`${name}: ${Math.round(statSync(outfile).size / 1024)} KB`);
}
