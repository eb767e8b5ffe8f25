import { categories, type NastyTable, numbers, tablesOf, texts, truths, useless } from './table.ts';

const { tableOf } = tablesOf('kinds');

const reviews = [
  'the service was slow but the food was good',
  'I would not come here again, far too loud',
  'best pizza in town and friendly people',
  'we waited an hour for a cold soup',
  'a quiet place with a good wine list',
  'the waiter forgot half of our order twice',
  'fair prices, large portions, clean tables',
  'nothing special, but the dessert was good',
  'the fish was fresh and the sauce was light',
  'never again: rude, slow and far too dear',
  'lovely terrace, good coffee, slow service',
  'the soup was good and the bread was fresh',
];

const messages = [
  'win a free prize now',
  'lunch at noon?',
  'claim your money today',
  'see you there',
  'free entry, text back',
  'ok lol',
  'call me after work',
  'your account was chosen',
  'running late, sorry',
  'cheap loans, no questions',
  'bring the red folder',
  'last chance to win',
  'happy birthday, dear',
  'urgent: reply with your code',
  'home in ten minutes',
  'two tickets, half price',
  'did you feed the cat',
  'free ringtones this week',
];

/** Yes and no, text, categories, and columns of several kinds. */
export const kindTables: readonly NastyTable[] = [
  tableOf('yes and no', [truths('x', 'yes | no | no | yes | yes | no | yes | no', '10011010')]),
  tableOf('Yes and No', [truths('x', 'Yes | No | No | Yes | YES | NO | yes | no', '10011010')]),
  tableOf('true and false', [truths('x', 'true | false | false | true | true | false | true | false', '10011010')]),
  tableOf('TRUE and FALSE', [truths('x', 'TRUE | FALSE | FALSE | TRUE | TRUE | FALSE | TRUE | FALSE', '10011010')]),
  tableOf('T and F', [truths('x', 'T | F | F | T | T | F | T | F', '10011010')]),
  tableOf('Y and N', [truths('x', 'Y | N | N | Y | Y | N | Y | N', '10011010')]),
  tableOf('y and n, of a table with few rows', [truths('x', 'y | n | n | y | n', '10010')]),
  tableOf('Y, N and another letter', [categories('x', 'Y | N | U | Y | N | U | Y | N')]),
  tableOf('0 and 1', [truths('x', '1 | 0 | 0 | 1 | 1 | 0 | 1 | 0', '10011010')]),
  tableOf('yes and no, some missing', [truths('x', 'yes | | no | yes | | no | yes | no', '1.01.010')]),
  tableOf('yes and no, some unknown', [categories('x', 'yes | no | unknown | yes | no | unknown | yes | no')]),
  tableOf('colours', [categories('x', 'red | green | blue | red | green | blue | red | red')]),
  tableOf('colours in two cases', [categories('x', 'red | Red | blue | red | Red | blue | red | Red')]),
  tableOf('ordinal words', [categories('x', 'low | high | medium | low | high | medium | low | high')]),
  tableOf('grades', [categories('x', 'A | B+ | A- | B+ | A | A- | C | C')]),
  tableOf('None as a category', [categories('x', 'None | Minor | None | Severe | Minor | None | Severe | None')]),
  tableOf('categories with commas in quotes', [
    categories('x', 'red, light | blue | red, light | blue | green, dark | green, dark | blue | blue'),
  ]),
  tableOf('categories of several words', [
    categories('x', 'New York | Los Angeles | New York | Los Angeles | San Jose | San Jose | New York | San Jose'),
  ]),
  tableOf('Chinese words', [categories('城市', '北京 | 上海 | 北京 | 上海 | 广州 | 广州 | 北京 | 上海')]),
  tableOf('emoji', [categories('mood', '😀 | 😢 | 😀 | 😢 | 😐 | 😐 | 😀 | 😢')]),
  tableOf(
    'numbers and a word, few of each',
    [categories('cylinders', '4 | 6 | rotary | 4 | 8 | rotary | 6 | 8 | 4 | 4')],
    {
      note: /cylinders.*rotary/,
    },
  ),
  tableOf('half numbers and half words', [categories('x', '12 | few | 30 | many | 12 | few | 30 | many')], {
    note: /x.*few/,
  }),
  tableOf('codes with an unknown', [categories('x', '1 | 2 | unknown | 1 | 3 | 2 | unknown | 3 | 1 | 2')], {
    note: /x.*unknown/,
  }),
  tableOf('sentences', [texts('review', reviews)]),
  ...[6, 9, 12, 18].map((count) => tableOf(`${count} short messages`, [texts('text', messages.slice(0, count))])),
  tableOf('18 short messages, two of which come again', [
    texts('text', messages.with(3, messages[0]!).with(17, messages[8]!)),
  ]),
  tableOf('single words that never repeat', [categories('x', 'ash | oak | elm | fir | yew | bay | lime | may')], {
    note: /olumn x .*each of its 8 values occurs once/,
  }),
  tableOf('sentences with quotes and line ends', [
    texts(
      'review',
      reviews.map((review, k) => (k % 3 === 0 ? `${review},\nsaid "the guest"` : review)),
    ),
  ]),
  tableOf('sentences, most of them', [
    texts(
      'review',
      reviews.map((review, k) => (k === 5 ? '' : review)),
    ),
  ]),
  tableOf('numbers beside sentences', [
    texts('review', reviews),
    numbers('stars', '3 | 1 | 5 | 1 | 4 | 2 | 4 | 3 | 5 | 1 | 4 | 4'),
  ]),
  tableOf('words of a list', [categories('tags', 'a;b | b;c | a;b | c | b;c | c | a;b | c')]),
  tableOf('a constant beside numbers', [
    numbers('x', '1.5 | 2.5 | 3.25 | 9'),
    useless('unit', 'kg | kg | kg | kg', 'constant'),
  ]),
  tableOf('a category that mostly occurs once', [categories('x', 'ash | oak | elm | fir | yew | ash | oak | elm')]),
];
