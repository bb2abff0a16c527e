import { readFileSync } from "node:fs";

const { trips, ports, guides } = JSON.parse(readFileSync("public/data/catalogue.json", "utf8"));

export default {
  ssr: false,
  prerender: [
    "/",
    "/trips",
    "/ports",
    "/guides",
    "/contact",
    "/timetable",
    ...trips.map((one) => `/trips/${one.id}`),
    ...ports.map((one) => `/ports/${one.id}`),
    ...guides.map((one) => `/guides/${one.id}`),
  ],
};
