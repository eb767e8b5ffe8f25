import { type DatePart, partWidths } from '../../features/date/parts.ts';
import { type Graph, types } from './graph.ts';

/** Dates beyond this number of days from 1970 have no month, as in the library. */
const mostDays = 1e8;

/** The number of a part of a date, from 0: January, Monday, 0:00; the part's width for none. Whole numbers: [N, 1]. */
interface DayPart {
  readonly part: DatePart;
  readonly index: string;
}

/** Adds the parts of a date to a graph. @param date doubles: days since 1970, NaN for a missing date: [N, 1]. */
export function dayParts(date: string, parts: readonly DatePart[], graph: Graph): DayPart[] {
  const double = (value: number) => graph.doubles([value], [1]);
  const whole = (value: number) => graph.wholes([value], [1]);
  const floor = graph.node('Floor', [date]);
  const isDay = graph.node('LessOrEqual', [graph.node('Abs', [floor]), double(mostDays)]); // false for NaN
  const days = graph.node('Cast', [graph.node('Where', [isDay, floor, double(0)])], { to: types.int64 });
  const indexOf = {
    month: () => {
      // Years begin in March, so that the leap day is the last one, and 400 years are a period of 146097 days. 719468
      // days lie between 1 March 0 and 1970; a thousand periods more keep all numbers positive.
      const shifted = graph.node('Add', [days, whole(719468 + 146097 * 1000)]);
      const ofEra = graph.node('Mod', [shifted, whole(146097)]);
      const per = (length: number) => graph.node('Div', [ofEra, whole(length)]);
      const sum = graph.node('Add', [graph.node('Sub', [ofEra, per(1460)]), per(36524)]);
      const year = graph.node('Div', [graph.node('Sub', [sum, per(146096)]), whole(365)]);
      const leaps = graph.node('Sub', [graph.node('Div', [year, whole(4)]), graph.node('Div', [year, whole(100)])]);
      const before = graph.node('Add', [graph.node('Mul', [year, whole(365)]), leaps]);
      const ofYear = graph.node('Sub', [ofEra, before]);
      const scaled = graph.node('Add', [graph.node('Mul', [ofYear, whole(5)]), whole(2)]);
      const fromMarch = graph.node('Div', [scaled, whole(153)]);
      return graph.node('Mod', [graph.node('Add', [fromMarch, whole(2)]), whole(12)]);
    },
    // 1970-01-01 was a Thursday. The remainder has the sign of the divisor.
    weekday: () => graph.node('Mod', [graph.node('Add', [days, whole(3)]), whole(7)]),
    hour: () => {
      const share = graph.node('Where', [isDay, graph.node('Sub', [date, floor]), double(0)]);
      const seconds = graph.node('Add', [graph.node('Mul', [share, double(86_400)]), double(0.5)]);
      const hours = graph.node('Div', [graph.node('Floor', [seconds]), double(3600)]);
      const hour = graph.node('Cast', [graph.node('Floor', [hours])], { to: types.int64 });
      return graph.node('Min', [hour, whole(23)]);
    },
  };
  return parts.map((part) => ({
    part,
    index: graph.node('Where', [isDay, indexOf[part](), whole(partWidths[part])]),
  }));
}
