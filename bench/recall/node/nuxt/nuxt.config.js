import { readFileSync } from "node:fs";

const stations = JSON.parse(readFileSync("public/stations.json", "utf8"));

export default defineNuxtConfig({
  telemetry: false,
  app: { head: { title: "Branch lines", htmlAttrs: { lang: "en" } } },
  nitro: { prerender: { crawlLinks: true, routes: ["/", ...stations.map((one) => `/stations/${one.id}`)] } },
});
