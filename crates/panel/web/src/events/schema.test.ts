import { expect, test } from 'vitest';
import { fieldsOf } from './schema';

const document = {
  components: {
    schemas: {
      Tag: { type: 'object', description: 'A tag.', properties: {} },
      TagAdded: {
        properties: {
          data: {
            properties: {
              object: { $ref: '#/components/schemas/Contact', description: 'The contact.' },
              tag: { $ref: '#/components/schemas/Tag' },
              previous: { type: ['string', 'null'], description: 'Before.\nMore.' },
              all: { type: 'array', items: { type: 'string' } },
            },
          },
        },
      },
    },
  },
};

test('reads the fields of an event from the document', () => {
  const found = fieldsOf({ $ref: '/openapi.json#/components/schemas/TagAdded/properties/data' }, document);
  expect(found).toEqual([
    { name: 'object', type: 'Contact', says: 'The contact.' },
    { name: 'tag', type: 'Tag', says: 'A tag.' },
    { name: 'previous', type: 'string or null', says: 'Before.' },
    { name: 'all', type: 'list of string', says: '' },
  ]);
});

test('returns no fields for a missing schema', () => {
  expect(fieldsOf({ $ref: '/openapi.json#/components/schemas/Nothing' }, document)).toEqual([]);
});
