/** Invented messages. The page shows the texts only. */
export const texts = [
  { text: 'Your invoice for May is ready, payment due in ten days', class: 'bill' },
  { text: 'Shall we have dinner on Friday?', class: 'personal' },
  { text: 'Reminder: invoice 4711 is due', class: 'bill' },
  { text: 'The photos from Friday are lovely, shall we print some?', class: 'personal' },
  { text: 'Payment received, thank you', class: 'bill' },
  { text: 'Happy birthday! Dinner at our place?', class: 'personal' },
  { text: 'Second reminder: payment for invoice 4711 is overdue', class: 'bill' },
  { text: 'I found your umbrella at our place', class: 'personal' },
  { text: 'Invoice 4802: payment due in ten days', class: 'bill' },
  { text: 'Shall we walk by the lake on Sunday?', class: 'personal' },
];
