import { createApp } from "vue";
import { createRouter, createWebHashHistory } from "vue-router";
import App from "./App.vue";
import Bird from "./Bird.vue";
import Birds from "./Birds.vue";
import Home from "./Home.vue";

const routes = [
  { path: "/", component: Home },
  { path: "/birds", component: Birds },
  { path: "/birds/:id", component: Bird },
];
createApp(App).use(createRouter({ history: createWebHashHistory(), routes })).mount("#app");
