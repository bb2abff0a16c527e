// The functions that Python calls by name.

const functions = { page, address: () => document.location.href, waitUntilSettled, scroll, fireHashChange, unfold, clicks, chooseOptions, runLateTimers, selectable: () => selects().length, late: () => slowTimers.size, foldable: () => query(document, FOLDED).length + menus().length, clickable: () => clickable(500).length };
const api = Object.create(null);
for (const name in functions) api[name] = functions[name];
api.call = async (name, ...values) => write(await functions[name](...values));
Object.defineProperty(window, NAME, { value: Object.freeze(api), enumerable: false });
