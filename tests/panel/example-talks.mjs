// The messages of the example: from customers to flows, and between customers and agents.

/** The messages of customers to flows, with minutes after the first message. */
export const PLAYS = [
  [[0, 'My brakes squeal, can you have a look?'], [3, 'Brakes']],
  [[0, 'When are you open?']],
  [[0, 'I need a repair, please'], [2, 'The blue one'], [5, 'Full service']],
  [[0, 'Could I try a bike on Saturday?'], [4, 'With']],
  [[0, 'I have a puncture'], [1, 'Puncture']],
  [[0, 'news'], [2, 'yes']],
  [[0, 'It is time for a service'], [6, 'Full service']],
  [[0, 'Is a test ride possible?'], [3, 'Without']],
  [[0, 'The brakes rub since yesterday'], [9, 'Brakes']],
  [[0, 'newsletter'], [5, 'no']],
  [[0, 'Do you have a place for a repair?']],
  [[0, 'What are your hours on Saturday?']],
  [[0, 'Once a year: service'], [2, 'Full service']],
  [[0, 'I would like to try the cargo bike'], [7, 'With']],
];
/** The ratings of repairs after two days. Some customers do not answer. */
export const RATINGS = ['5', '4', '5', undefined, '5', '3', '4', '5', '2', '4'];
/** The reply to customers with a bad rating. */
export const SORRY = 'I am sorry that it went wrong. Bring it back whenever you like: we look at it again at once.';

/**
 * The conversations of the last days. `customer` is the customer's index, `hours` the time before the end.
 * Each line has minutes after the start, the author and the text. An author is `customer` or the name of an
 * agent, and `note` marks an internal note.
 */
export const TALKS = [
  {
    customer: 0, hours: 5, to: 'Maya', lines: [
      [0, 'customer', 'Hello! The motor of my bike cuts out on hills. Is that covered by the guarantee?'],
      [9, 'Priya', 'Hello Amara, I am sorry to hear that. Does the display show a number when it happens?'],
      [14, 'customer', 'Yes: E07, and then it goes dark for a few seconds.'],
      [17, 'Jonas', 'E07 is the speed sensor. There are two in the drawer: ten minutes of work.', 'note'],
      [21, 'Priya', 'Thank you, that helps: it is the speed sensor, and the guarantee covers it. Could you bring the bike tomorrow?'],
      [168, 'customer', 'Tomorrow after four would suit me. How long will it take?'],
      [181, 'Maya', 'Ten minutes, and the coffee is on us. I have put your name down for 16:15.'],
      [289, 'customer', 'Perfect, see you then! Shall I bring the charger as well?'],
    ],
  },
  {
    customer: 18, hours: 2, to: 'Priya', lines: [
      [0, 'customer', 'The helmet I bought on Saturday is too small. Can I change it for an M?'],
      [6, 'Priya', 'Of course, Ruth. Which colour is it?'],
      [71, 'customer', 'The green one.'],
      [72, 'customer', 'I could come by today before six.'],
    ],
  },
  {
    customer: 30, hours: 1, to: 'Maya', lines: [
      [0, 'customer', 'We would like six bikes for our office. Could you send us an offer?'],
      [12, 'Maya', 'Gladly! With or without a motor, and how tall are your people?'],
      [48, 'customer', 'Four with, two without. I send you the heights tonight.'],
    ],
  },
  {
    customer: 42, hours: 7, to: 'Tom', lines: [
      [0, 'customer', 'My bike was stolen last night. The police want the frame number. Do you have it?'],
      [4, 'Tom', 'I am so sorry, Lucia. Give me a minute, I look it up.'],
      [7, 'Tom', 'His insurer is with the police already: send the bill, too.', 'note'],
      [11, 'Tom', 'It stands on your bill as well, which I have just sent to you again.'],
      [240, 'customer', 'Thank you, that was quick. The insurer asks for a photograph of the lock.'],
    ],
  },
  {
    customer: 24, hours: 26, to: 'Tom', lines: [
      [0, 'customer', 'Do you hire out cargo bikes for a weekend? It is for a wedding.'],
      [25, 'Tom', 'We do, three of them, from Friday noon to Monday. Which weekend is it?'],
      [70, 'customer', 'The second one in May.'],
      [95, 'Tom', 'All three are kept for you. I write to you again in April.'],
    ],
  },
  {
    customer: 54, hours: 9, to: 'Maya', lines: [
      [0, 'customer', 'Does the child seat from last year fit the Wren 20?'],
      [33, 'Maya', 'It does, with the short clamp. Shall I put one aside for you?'],
      [180, 'customer', 'Yes, please!'],
    ],
  },
  {
    customer: 12, hours: 50, to: 'Priya', ends: 'snooze', lines: [
      [0, 'customer', 'My parcel has been in the depot for a week.'],
      [15, 'Priya', 'I have asked the carrier, and write to you as soon as they answer.'],
      [16, 'Priya', 'They promise an answer by Monday.', 'note'],
    ],
  },
  {
    customer: 60, hours: 30, to: 'Jonas', ends: 'snooze', lines: [
      [0, 'customer', 'How much is it to leave a bike with you until March?'],
      [20, 'Jonas', 'Nine a month, with a wash before you collect it. Think it over until next week!'],
    ],
  },
  {
    customer: 6, hours: 28, to: 'Tom', ends: 'resolve', lines: [
      [0, 'customer', 'Can I give somebody a voucher by e-mail?'],
      [3, 'Tom', 'Yes: choose the sum in the shop and write their address below it.'],
      [8, 'customer', 'Found it. Thanks!'],
    ],
  },
  {
    customer: 48, hours: 4, to: 'Jonas', ends: 'resolve', lines: [
      [0, 'customer', 'I have lost the key of my lock. The number is 4471.'],
      [18, 'Jonas', 'A new one is on its way to you. It takes about a week.'],
      [22, 'customer', 'Wonderful, thank you.'],
    ],
  },
];

/** The acts of the customer with the timeline in a picture, with hours before the end. */
export const STORY = {
  customer: 36,
  acts: [
    [52, 'event', 'parcel.delivered', { number: 'NW-P-88213', items: 2 }],
    [29, 'says', 'Could I try a bike with more power?'],
    [28.9, 'says', 'With'],
    [22, 'event', 'order.paid', { total: 48.5, item: 'Rain cape' }],
    [3, 'says', 'Better than I thought! What does it cost?'],
    [2.9, 'answers', 'I have sent you our offer. It is good until the end of the month.'],
    [2, 'knows', { rating: 5, loyalty_points: 240 }],
    [1, 'wears', 'vip'],
    [0.5, 'begins', 'Opening hours'],
  ],
};

/** The messages of customers in the live workspace, by the customer's index. */
export const FIRST_WORDS = [[3, 'When are you open?'], [8, 'I have a puncture'], [14, 'Could I try a bike?'], [21, 'news'], [27, 'Is the Harbour 7 in stock?'], [33, 'Do you buy used bikes?'], [41, 'Is it in stock in L?'], [50, 'My brakes squeal']];
