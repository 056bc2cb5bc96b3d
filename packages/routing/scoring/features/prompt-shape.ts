/** Counts that mean the same in every language, and do not depend on white space or case. */
export interface PromptShape {
  /**
   * Characters of the whole prompt without white space; dense scripts count as their length in Latin script.
   */
  length: number
  words: number
  wordCharacters: number
  /** Words of nine letters or more. */
  longWords: number
  numbers: number
  /** Numbers of three digits or more, or with a fraction. */
  longNumbers: number
  /** Without its fraction; 0 if there is none. */
  largestNumber: number
  /** `3/4`, `¾`, `half`. */
  fractions: number
  /** How often each ASCII punctuation mark occurs, by its code. */
  marks: Uint16Array
  allMarks: number
  sentences: number
  questions: number
  commas: number
  /** A, B, C … in order, as in multiple choice. */
  options: number
  /** 1, 2, 3 … in order, as in a list. */
  items: number
  denseCharacters: number
  /** Letters above ASCII, without dense scripts. */
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
