import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentOf, RecentIds, recordedId } from '../../src/state/recent-ids.ts';

test('the latest ids are those of a list that is cut at its begin, whenever one asks', () => {
  fc.assert(
    fc.property(fc.nat(5), fc.array(fc.record({ id: fc.nat(12), asks: fc.boolean() })), (limit, steps) => {
      const recent = new RecentIds(limit);
      let list: [string, number][] = [];
      const recorded = (name: string) => recordedId(name, contentOf(name));
      const used = (name: string) => {
        const sequence = new Map(list).get(recorded(name));
        return sequence === undefined ? undefined : { sequence, content: contentOf(name) };
      };
      for (const [k, { id, asks }] of steps.entries()) {
        const name = String(id);
        // An id that is known is not added, because its example is not learned again.
        if (list.every(([each]) => each !== recorded(name))) {
          recent.add(recorded(name), k);
          list = limit === 0 ? [] : [...list, [recorded(name), k] as [string, number]].slice(-limit);
        }
        if (asks) expect(recent.get(name)).toEqual(used(name));
      }
      expect(recent.list()).toEqual(list);
      for (let id = 0; id <= 12; id++) expect(recent.get(String(id))).toEqual(used(String(id)));
    }),
  );
});
