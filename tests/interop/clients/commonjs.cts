import client = require('tidings-client');

const made = new client.Tidings({ url: 'http://127.0.0.1:9', key: '' });
console.log(typeof made.contacts.tags.add, typeof client.verify);
