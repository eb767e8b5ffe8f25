/** A function of an object that is computed once for each. */
export function remember<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    let entry = made.get(key);
    if (entry === undefined) {
      entry = { value: make(key) };
      made.set(key, entry);
    }
    return entry.value;
  };
}
