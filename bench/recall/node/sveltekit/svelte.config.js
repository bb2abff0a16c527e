import { readFileSync } from "node:fs";
import adapter from "@sveltejs/adapter-static";

const walks = JSON.parse(readFileSync("src/lib/walks.json", "utf8"));

export default {
  kit: {
    adapter: adapter({ pages: "build", assets: "build" }),
    prerender: { entries: ["*", ...walks.map((walk) => `/walks/${walk.id}`)] },
  },
};
