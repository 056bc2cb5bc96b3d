import { expect, test } from 'vitest'
import { elementsOf } from './elements.ts'

const textsOf = (list: string): string[] => {
  const bytes = Buffer.from(list)
  return elementsOf(bytes).map(({ start, end }) => bytes.toString('utf8', start, end))
}

test.each([
  ['[]', []],
  ['[ \n ]', []],
  ['[1]', ['1']],
  [
    '[ {"a":[1,2],"b":{"c":","}} ,"x,\\"]",[[],{}] ]',
    [' {"a":[1,2],"b":{"c":","}} ', '"x,\\"]"', '[[],{}] '],
  ],
  ['["\\\\",""]', ['"\\\\"', '""']],
  [`["${'é,"'.replace('"', '\\"').repeat(50)}",2]`, [`"${'é,\\"'.repeat(50)}"`, '2']],
])('the elements of %s', (list, elements) => {
  expect(textsOf(list)).toEqual(elements)
})

test('each element is the same as what a parser finds', () => {
  const list = Array.from({ length: 200 }, (_, index) => ({
    text: '\\"[{,'.repeat(index),
    list: [[index], [], {}],
    [`key,"${index}`]: null,
  }))
  for (const indent of [undefined, 2])
    expect(textsOf(JSON.stringify(list, null, indent)).map((text) => JSON.parse(text) as unknown)).toEqual(
      list,
    )
})
