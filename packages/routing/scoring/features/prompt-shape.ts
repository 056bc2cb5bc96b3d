/** Counts of a prompt that mean the same in every language. White space and case change none of them. */
export interface PromptShape {
  /**
   * Characters of the whole prompt without white space, dense scripts counted as the Latin they stand for.
   */
  length: number
  words: number
  wordCharacters: number
  /** Words of nine letters or more. */
  longWords: number
  numbers: number
  /** Numbers of three digits or more, or with a fraction. */
  longNumbers: number
  /** Without what stands behind its point; 0 where there is none. */
  largestNumber: number
  /** `3/4`, `¾`, `half`: parts of a whole. */
  fractions: number
  /** How often each ASCII mark stands, by its code. */
  marks: Uint16Array
  allMarks: number
  sentences: number
  questions: number
  commas: number
  /** A, B, C … in order, as answers to choose from. */
  options: number
  /** 1, 2, 3 … in order, as items. */
  items: number
  denseCharacters: number
  /** Letters above ASCII, dense scripts not counted. */
  foreignLetters: number
}

export function emptyShape(): PromptShape {
  return {
    length: 0,
    words: 0,
    wordCharacters: 0,
    longWords: 0,
    numbers: 0,
    longNumbers: 0,
    largestNumber: 0,
    fractions: 0,
    marks: new Uint16Array(128),
    allMarks: 0,
    sentences: 0,
    questions: 0,
    commas: 0,
    options: 0,
    items: 0,
    denseCharacters: 0,
    foreignLetters: 0,
  }
}

export function clearShape(shape: PromptShape): void {
  shape.length = 0
  shape.words = 0
  shape.wordCharacters = 0
  shape.longWords = 0
  shape.numbers = 0
  shape.longNumbers = 0
  shape.largestNumber = 0
  shape.fractions = 0
  shape.marks.fill(0)
  shape.allMarks = 0
  shape.sentences = 0
  shape.questions = 0
  shape.commas = 0
  shape.options = 0
  shape.items = 0
  shape.denseCharacters = 0
  shape.foreignLetters = 0
}
