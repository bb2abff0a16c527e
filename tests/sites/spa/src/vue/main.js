// A library with Vue Router in history mode: links, pushes on click, a lazy view, parameters, and an unlinked route.
import { createApp, h } from "vue";
import { RouterLink, RouterView, createRouter, createWebHistory, useRoute, useRouter } from "vue-router";

const later = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const view = (title, children = () => []) => ({ setup: () => () => h("main", [h("h1", title), ...children(useRouter())]) });
const link = (to, text) => h(RouterLink, { to }, () => text);

const Home = view("Home", (router) => [
  h("div", { id: "opening-hours", style: "cursor: pointer", onClick: () => router.push("/opening-hours") }, "When we open"),
  h("span", { id: "events", role: "button", tabindex: 0, onClick: () => router.push({ name: "events" }) }, "Events"),
  h("ul", [h("li", { id: "new-books", onClick: () => router.push("/books/new") }, "New books")]),
]);
const Books = view("Books", () => [link("/books/odyssey", "The Odyssey"), link({ name: "book", params: { slug: "iliad" } }, "The Iliad")]);
const Book = { setup: () => () => h("main", [h("h1", `Book ${useRoute().params.slug}`)]) };
const Archive = view("Archive", (router) => [
  h("div", { id: "year-1900", style: "cursor: pointer", onClick: () => router.push("/archive/1900") }, "The year 1900"),
]);

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: "/", component: Home },
    { path: "/about", component: view("About") },
    { path: "/opening-hours", component: view("Opening hours") },
    { path: "/events", name: "events", component: view("Events") },
    { path: "/books", component: Books },
    { path: "/books/new", component: view("New books") },
    { path: "/books/:slug", name: "book", component: Book },
    { path: "/archive", component: () => later(300).then(() => Archive) },
    { path: "/archive/1900", component: view("Archive of 1900") },
    { path: "/staff", component: { render: () => h(RouterView) }, children: [{ path: "rota", component: view("Rota") }] },
    { path: "/:rest(.*)*", component: view("Nothing here") },
  ],
});

const App = {
  render: () => [
    h("nav", [link("/", "Start"), " ", link("/about", "About"), " ", link("/books", "Books"), " ", link("/archive", "Archive")]),
    h(RouterView),
  ],
};

createApp(App).use(router).mount("#app");
