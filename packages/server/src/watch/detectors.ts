import { oneOf } from 'halfspace/checks';
import { restoreDetector } from 'halfspace/online';
import { detectorNames } from './alarm.ts';

type DriftDetector = ReturnType<typeof restoreDetector>;

/** ADWIN and a Page–Hinkley test, which watch one stream. After an alarm of one of them, both must begin again. */
export type DetectorPair = readonly [adwin: DriftDetector, pageHinkley: DriftDetector];

/** Gives both detectors the next value. Returns the one that gives an alarm, the first of both; null: none does. */
export function updatePair([adwin, pageHinkley]: DetectorPair, forAdwin: number, forPageHinkley: number) {
  const isPageHinkley = pageHinkley.update(forPageHinkley);
  return adwin.update(forAdwin) ? 'adwin' : isPageHinkley ? 'page-hinkley' : null;
}

/** Share of the newest value in the running mean that is about that of the latest 16 values. */
export const recentShare = 1 / 16;

/** @throws HalfspaceError `model-invalid` for anything else than the states of such a pair. */
export function restorePair(value: { readonly adwin?: unknown; readonly pageHinkley?: unknown }): DetectorPair {
  const pair = [restoreDetector(value.adwin), restoreDetector(value.pageHinkley)] as const;
  pair.forEach((detector, d) => {
    oneOf(detector.name, 'detector', [detectorNames[d]!]);
  });
  return pair;
}
