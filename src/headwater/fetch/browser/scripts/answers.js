// What we are asked by name.

const answer = { page, address: () => document.location.href, settled, scroll, tellOfHash, unfold, clicks, foldable: () => query(document, FOLDED).length + menus().length, clickable: () => clickable(500).length };
const told = Object.create(null);
for (const name in answer) told[name] = answer[name];
told.tell = async (name, ...given) => write(await answer[name](...given));
Object.defineProperty(window, NAME, { value: Object.freeze(told), enumerable: false });
