// Read route tables that common routers expose, without patterns that have parameters.

function tables() {
  const found = [], add = (path, router) => {
    if (typeof path === "string" && path && path.length <= 1000 && found.length < 1000 && !/[:*\[\](){}]/.test(path)) found[found.length] = [path, router];
  };
  const walk = (list, parentPath, router, depth = 0) => {
    for (const route of Array.isArray(list) ? list : []) {
      const path = typeof route?.path === "string" ? route.path : "";
      const fullPath = path.startsWith("/") ? path : `${parentPath.replace(/\/$/, "")}/${path}`;
      if (path) add(fullPath, router);
      if (depth < 8) walk(route?.children, path ? fullPath : parentPath, router, depth + 1);
    }
  };
  try {
    const elements = query(document, "*");
    for (let at = 0; at < elements.length && at < 3000; at++) {
      const element = elements[at];
      const vue = element.__vue_app__?.config?.globalProperties?.$router ?? element.__vue__?.$router;
      if (vue) {
        const base = vue.options?.history?.base ?? vue.options?.base ?? "";
        const list = vue.getRoutes ? vue.getRoutes() : [];
        for (const route of list) add(vue.resolve ? vue.resolve(route.path).href : base + route.path, "vue-router");
        break;
      }
    }
  } catch { /* not exposed */ }
  try {
    for (const path of window.__BUILD_MANIFEST?.sortedPages ?? []) if (!path.startsWith("/_")) add(path, "next");
    if (window.next?.router?.components) for (const path in window.next.router.components) if (!path.startsWith("/_")) add(path, "next");
    walk(Object.values(window.__remixManifest?.routes ?? window.__reactRouterManifest?.routes ?? {}), "", "react-router");
  } catch { /* not exposed */ }
  try { addReactRoutes(walk, add); } catch { /* not exposed */ }
  try {
    const router = window.$nuxt?.$router;
    if (router?.options?.routes) walk(router.options.routes, "", "nuxt");
  } catch { /* not exposed */ }
  return found;
}
// React's component tree is attached to the container element; routes are properties of router components.
function addReactRoutes(walk, add) {
  const elements = query(document, "body, body > *, body > * > *");
  for (let at = 0; at < elements.length && at < 200; at++) {
    const key = Object.keys(elements[at]).find(name => name.startsWith("__reactContainer$"));
    if (!key) continue;
    const stack = [[elements[at][key].stateNode?.current ?? elements[at][key], ""]];
    for (let steps = 0; stack.length && steps < 5000; steps++) {
      const [fiber, base] = stack.pop(), props = fiber.memoizedProps ?? {};
      const below = typeof props.basename === "string" && props.basename !== "/" ? props.basename : base;
      if (props.router?.routes) walk(props.router.routes, props.router.basename ?? below, "react-router");
      addDeclaredRoutes(props.children, below, add, 0);
      if (fiber.sibling) stack.push([fiber.sibling, base]);
      if (fiber.child) stack.push([fiber.child, below]);
    }
  }
}
function addDeclaredRoutes(children, parentPath, add, depth) {
  for (const child of [children].flat(3)) {
    const props = child?.props;
    if (!props || depth > 8) continue;
    if (typeof props.path === "string" && ("element" in props || "component" in props || "Component" in props || "lazy" in props || "children" in props)) {
      const fullPath = props.path.startsWith("/") ? parentPath + props.path : `${parentPath.replace(/\/$/, "")}/${props.path}`;
      add(fullPath, "react-router");
      addDeclaredRoutes(props.children, fullPath, add, depth + 1);
    } else if ("element" in props || "index" in props) addDeclaredRoutes(props.children, parentPath, add, depth + 1);
  }
}
