import { expect, test } from 'vitest'
import { readPrompt } from './read-prompt.ts'
import { measureOf, shapeFeatureCount, shapeFeatures } from './shape-features.ts'

const largestNumber = (text: string): number => readPrompt(text).shape.largestNumber
const fractions = (text: string): number => readPrompt(text).shape.fractions

test('the largest number is read without its fraction, in any script', () => {
  expect(largestNumber('a farm with 12 cows and 1,250.75 acres')).toBe(1_250)
  expect(largestNumber('१२५० रुपये')).toBe(1_250)
  expect(largestNumber('١٢ كتابا')).toBe(12)
  expect(largestNumber('no number at all')).toBe(0)
  expect(largestNumber('9'.repeat(400))).toBeLessThan(1e11)
})

test.each([
  ['half of them, then a third of the rest', 2],
  ['HALF of them', 1],
  ['die Hälfte und ein Viertel', 2],
  ['la moitié', 1],
  ['la mitad', 1],
  ['половина', 1],
  ['3/4 of a mile', 1],
  ['¾ of a mile', 1],
  ['either/or, 2024/12345', 0],
])('fractions are counted: %s', (text, count) => expect(fractions(text)).toBe(count))

test('ten options are not counted as four and more', () => {
  const question = (letters: string): string =>
    `Which one is it?\n${letters.replaceAll(/[A-J]/g, '$&. this one\n')}`
  const figuresOf = (text: string): number[] => {
    const into = new Float32Array(shapeFeatureCount)
    shapeFeatures(readPrompt(text).shape, into)
    return Array.from(into).filter((_, feature) => measureOf(feature) === 'answers to choose from')
  }
  const four = figuresOf(question('ABCD'))
  const ten = figuresOf(question('ABCDEFGHIJ'))
  expect(four.filter((figure) => figure > 0)).toEqual([1])
  expect(ten.filter((figure) => figure > 0)).toEqual([1])
  expect(four.indexOf(1)).not.toBe(ten.indexOf(1))
})
