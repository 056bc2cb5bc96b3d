import { classes, dense, digit, foldCase, letter, mark, nothing, space } from './characters.ts'
import { isFractionWord } from './fraction-words.ts'
import { clearShape, emptyShape, type PromptShape } from './prompt-shape.ts'
import { windowsOf } from './windows.ts'

/** Reads a prompt into hashes of its words, word pairs and affixes, and into counts. */

/** At most six for each character that is read. */
const maxGrams = 20_480

/** Larger numbers count as this one. */
const maxNumber = 1e9

/** Distinguishes what would otherwise have the same hash: the word `pre` and the prefix `pre`. */
const salts = {
  pair: 0x51ed270b,
  prefix: 0x2c1b3c6d,
  suffix: 0x297a2d39,
  first: 0x165667b1,
  last: 0x27d4eb2f,
}

/** How many Latin letters one character corresponds to, measured on translations of the same questions. */
const ideographLetters = 2.6
const thaiLetters = 1.1

export interface PromptFeatures {
  /** Hashes of 32 bits; only the first `gramCount` belong to this prompt. May contain duplicates. */
  grams: Uint32Array
  /** 1 if the hash at the same index is of a whole word, or of a pair of dense characters. */
  wholeWords: Uint8Array
  gramCount: number
  shape: PromptShape
}

/** Shared by all calls, so that a call allocates nothing: a prompt is read and scored within one turn. */
const features: PromptFeatures = {
  grams: new Uint32Array(maxGrams),
  wholeWords: new Uint8Array(maxGrams),
  gramCount: 0,
  shape: emptyShape(),
}
const { grams, wholeWords, shape } = features

let previous = 0
let beforePrevious = 0
let tokens = 0

/** Extracts a prompt's features. They are valid until the next call. */
export function readPrompt(text: string): PromptFeatures {
  features.gramCount = 0
  clearShape(shape)
  previous = 0
  beforePrevious = 0
  tokens = 0
  const { headEnd, tailStart } = windowsOf(text)
  readWindow(text.slice(0, headEnd).toLowerCase())
  if (tailStart < text.length) {
    previous = 0
    readWindow(text.slice(tailStart).toLowerCase())
  }
  const read = headEnd + text.length - tailStart
  if (read < text.length) shape.length *= text.length / read
  if (previous !== 0) {
    addGram(mixHash(previous, salts.last), 0)
    addGram(mixHash(mixHash(beforePrevious, previous), salts.last), 0)
  }
  return features
}

function readWindow(text: string): void {
  let index = 0
  while (index < text.length) {
    const code = text.charCodeAt(index)
    const kind = classes[code]!
    if (kind === letter) index = readWord(text, index)
    else if (kind === digit) index = readNumber(text, index)
    else if (kind === dense) index = readDense(text, index)
    else {
      if (kind === mark) readMark(text, index, code)
      index++
    }
  }
}

function readWord(text: string, start: number): number {
  let index = start
  let hash = 0x811c9dc5
  let prefix = 0
  let length = 0
  let foreign = 0
  for (; index < text.length; index++) {
    let code = text.charCodeAt(index)
    const kind = classes[code]!
    if (kind !== letter) {
      if (kind === nothing) continue
      break
    }
    if (code > 0x7f) {
      code = foldCase(code)
      foreign++
      // Upper-cased, ß is SS.
      if (code === 0xdf) {
        code = 0x73
        foreign--
        hash = Math.imul(hash ^ code, 0x01000193)
        if (++length === 4) prefix = hash
      }
    }
    hash = Math.imul(hash ^ code, 0x01000193)
    if (++length === 4) prefix = hash
  }
  shape.length += length
  shape.words++
  shape.wordCharacters += length
  shape.foreignLetters += foreign
  if (length >= 9) shape.longWords++
  if (isFractionWord(hash)) shape.fractions++
  if (length === 1) readOption(text, start)
  addToken(mixHash(hash, 0))
  if (length >= 6) {
    addGram(mixHash(prefix, salts.prefix), 0)
    addGram(mixHash(suffixHash(text, index), salts.suffix), 0)
  }
  return index
}

/** The last three letters in order; ß counts as two. */
function suffixHash(text: string, end: number): number {
  let third = 0
  let second = 0
  let last = 0
  for (let index = end - 1; third === 0; index--) {
    const code = text.charCodeAt(index)
    const letter = code === 0xdf ? 0x73 : foldCase(code)
    for (let times = code === 0xdf ? 2 : 1; times > 0 && third === 0; times--) {
      if (last === 0) last = letter
      else if (second === 0) second = letter
      else third = letter
    }
  }
  const hash = Math.imul(0x811c9dc5 ^ third, 0x01000193)
  return Math.imul(Math.imul(hash ^ second, 0x01000193) ^ last, 0x01000193)
}

/** Reads a number with its separators: `1,000.5`. Its value is approximated by its length. */
function readNumber(text: string, start: number): number {
  let index = start
  let digits = 0
  let fraction = 0
  let value = 0
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (classes[code] === digit) {
      digits++
      if (fraction === 0 && value < maxNumber) value = value * 10 + valueOfDigit(code)
    } else if ((code === 0x2e || code === 0x2c) && classes[text.charCodeAt(index + 1)] === digit)
      fraction = code === 0x2e ? 1 : fraction
    else break
  }
  shape.length += index - start
  shape.numbers++
  if (digits >= 3 || fraction === 1) shape.longNumbers++
  if (value > shape.largestNumber) shape.largestNumber = value
  if (isFraction(text, start, index)) shape.fractions++
  if (digits === 1) readItem(text, start)
  addToken(mixHash(Math.min(digits, 5) * 2 + fraction, 0x9e3779b1))
  return index
}

/** The value of a digit in any script. */
function valueOfDigit(code: number): number {
  // The digits of Indic scripts begin in the middle of a row.
  if (code >= 0x966 && code <= 0xc6f) return (code & 0xf) - 6
  return Math.min(code & 0xf, 9)
}

/** `3/4`, counted at its second number, or `¾`. */
function isFraction(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start)
  if ((first >= 0xbc && first <= 0xbe) || (first >= 0x2150 && first <= 0x215e)) return true
  const isBehindSlash = text.charCodeAt(start - 1) === 0x2f
  return isBehindSlash && end - start <= 3 && classes[text.charCodeAt(start - 2)] === digit
}

function readDense(text: string, start: number): number {
  let index = start
  let before = 0
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (classes[code] !== dense) break
    if (before !== 0) {
      addGram(mixHash(Math.imul(before, 0x01000193) ^ code, salts.pair), 1)
    }
    addGram(mixHash(code, salts.suffix), 0)
    if (tokens < 3) addGram(mixHash(Math.imul(before, 0x01000193) ^ code, salts.first), 0)
    tokens++
    before = code
    shape.length += code < 0x1000 ? thaiLetters : ideographLetters
    shape.denseCharacters++
  }
  beforePrevious = previous
  previous = mixHash(before, salts.suffix)
  return index
}

function readMark(text: string, index: number, code: number): void {
  shape.length++
  shape.allMarks++
  if (code < 0x80) shape.marks[code]!++
  if (code === 0x3f || code === 0xff1f || code === 0x61f) shape.questions++
  if (code === 0x2c || code === 0x3001 || code === 0xff0c || code === 0x60c) shape.commas++
  if (endsSentence(code) && (code > 0x7f || index + 1 >= text.length || isSpaceAt(text, index + 1)))
    shape.sentences++
}

function endsSentence(code: number): boolean {
  return (
    code === 0x2e ||
    code === 0x3f ||
    code === 0x21 ||
    code === 0x3002 ||
    code === 0x964 ||
    code === 0xff1f ||
    code === 0x61f
  )
}

function readOption(text: string, index: number): void {
  if (text.charCodeAt(index) === 0x61 + shape.options && isListed(text, index)) shape.options++
}

function readItem(text: string, index: number): void {
  if (text.charCodeAt(index) === 0x31 + shape.items && isListed(text, index)) shape.items++
}

/** Whether it is a list marker: ` b.`, ` b)`, ` (b)`. */
function isListed(text: string, index: number): boolean {
  const next = text.charCodeAt(index + 1)
  if (next !== 0x2e && next !== 0x29) return false
  return index === 0 || text.charCodeAt(index - 1) === 0x28 || isSpaceAt(text, index - 1)
}

function isSpaceAt(text: string, index: number): boolean {
  return classes[text.charCodeAt(index)] === space
}

function addToken(token: number): void {
  addGram(token, 1)
  if (previous !== 0) addGram(mixHash(Math.imul(previous, 31) ^ token, salts.pair), 0)
  if (tokens === 0) addGram(mixHash(token, salts.first), 0)
  else if (tokens === 1) addGram(mixHash(Math.imul(previous, 31) ^ token, salts.first), 0)
  tokens++
  beforePrevious = previous
  previous = token
}

function addGram(hash: number, wholeWord: number): void {
  if (features.gramCount === maxGrams) return
  grams[features.gramCount] = hash
  wholeWords[features.gramCount] = wholeWord
  features.gramCount++
}

/** Spreads a hash over all 32 bits (the finalizer of MurmurHash3). */
function mixHash(hash: number, salt: number): number {
  let mixing = hash ^ salt
  mixing = Math.imul(mixing ^ (mixing >>> 16), 0x85ebca6b)
  mixing = Math.imul(mixing ^ (mixing >>> 13), 0xc2b2ae35)
  return (mixing ^ (mixing >>> 16)) >>> 0
}
