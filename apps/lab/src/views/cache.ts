/**
 * Returns a cache of values by object and key: it calls `make` for a key that is not cached. The cache of an object
 * keeps the `most` latest values, and is freed with the object.
 */
export function cacheOf<K extends object, V>(most = Infinity): (owner: K, make: () => V, key?: string) => V {
  const caches = new WeakMap<K, Map<string, V>>();
  return (owner, make, key = '') => {
    const cache = caches.get(owner) ?? new Map<string, V>();
    caches.set(owner, cache);
    if (!cache.has(key)) {
      cache.set(key, make());
      if (cache.size > most) cache.delete(cache.keys().next().value!);
    }
    return cache.get(key)!;
  };
}

/** Returns a function that calls `make` once for each object. */
export function remember<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const cached = cacheOf<K, V>();
  return (key) => cached(key, () => make(key));
}
