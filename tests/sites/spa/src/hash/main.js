// A manual with Vue Router in hash mode; its first page also has ordinary anchors, which are no pages.
import { createApp, h } from "vue";
import { RouterLink, RouterView, createRouter, createWebHashHistory, useRoute, useRouter } from "vue-router";

const view = (title, children = () => []) => ({ setup: () => () => h("main", [h("h1", title), ...children(useRouter())]) });
const link = (to, text) => h(RouterLink, { to }, () => text);

const Home = view("Home", (router) => [
  h("div", { id: "keys-card", style: "cursor: pointer", onClick: () => router.push("/keys") }, "Keyboard"),
]);
const Chapters = view("Chapters", () => [link("/chapters/1", "Chapter 1"), link("/chapters/2", "Chapter 2")]);
const Chapter = { setup: () => () => h("main", [h("h1", `Chapter ${useRoute().params.number}`)]) };
const Search = { setup: () => () => h("main", [h("h1", `Search for ${useRoute().query.q}`)]) };
const Index = view("Index", (router) => [
  h("div", { id: "index-a", style: "cursor: pointer", onClick: () => router.push("/index/a") }, "Under A"),
]);

const router = createRouter({
  history: createWebHashHistory(),
  routes: [
    { path: "/", component: Home },
    { path: "/chapters", component: Chapters },
    { path: "/chapters/:number", component: Chapter },
    { path: "/search", component: Search },
    { path: "/index", component: Index },
    { path: "/index/a", component: view("Index, letter A") },
    { path: "/keys", component: view("Keys") },
    { path: "/colophon", component: view("Colophon") },
    { path: "/:rest(.*)*", component: view("Nothing here") },
  ],
});

const App = {
  render: () => [
    h("nav", [
      link("/", "Start"),
      " ",
      link("/chapters", "Chapters"),
      " ",
      link("/index", "Index"),
      " ",
      link("/search?q=ink", "Search for ink"),
    ]),
    h(RouterView),
  ],
};

createApp(App).use(router).mount("#app");
