import { isWellFormed, unusable, type Vector } from '../embeddings/answer.ts'
import { NoJson, walkList, walkObject, type Span } from '../json/cursor.ts'
import { parseJson } from '../json/parse-json.ts'

/** The parts of `{"object": "list", "data": [{"index", "embedding"}], "model", "usage"}` in its bytes. */
export interface EmbeddingList {
  /** The outermost members' values, by their names. */
  members: ReadonlyMap<string, Span>
  /** One past the outermost object's last byte. */
  end: number
  /** In the order of the bytes; undefined if there is no list. */
  entries: readonly Entry[] | undefined
}

export interface Entry {
  /** The index of its input; undefined if the vendor does not say. */
  index: number | undefined
  vector: Vector
}

const quote = 0x22
const openBracket = 0x5b

/**
 * Finds the vectors of an answer without parsing their numbers.
 * @throws {GatewayError} 502 if it is not an answer of this kind
 */
export function readList(json: Buffer): EmbeddingList {
  try {
    const members = new Map<string, Span>()
    const end = walkObject(json, firstByte(json), (name, value) => members.set(name, value))
    const data = members.get('data')
    if (data === undefined || json[data.start] !== openBracket) return { members, end, entries: undefined }
    const entries: Entry[] = []
    const vectors: Span[] = []
    walkList(json, data.start, (value) => entries.push(readEntry(json, value, vectors)))
    requireJson(json, end, vectors)
    return { members, end, entries }
  } catch (error) {
    if (error instanceof NoJson) throw unusable('it is not a list of embeddings')
    throw error
  }
}

function firstByte(json: Buffer): number {
  const start = json.indexOf('{')
  if (start === -1) throw new NoJson()
  return start
}

/** The walk skips values unchecked, so everything except the vectors is parsed once: it passes unchanged. */
function requireJson(json: Buffer, end: number, vectors: readonly Span[]): void {
  const pieces: string[] = []
  let from = 0
  for (const vector of vectors) {
    pieces.push(json.toString('utf8', from, vector.start))
    from = vector.end
  }
  pieces.push(json.toString('utf8', from, end))
  if (parseJson(pieces.join('0')) === undefined) throw new NoJson()
}

function readEntry(json: Buffer, { start }: Span, vectors: Span[]): Entry {
  let index: number | undefined
  let embedding: Span | undefined
  walkObject(json, start, (name, value) => {
    if (name === 'index') index = wholeNumber(json.toString('latin1', value.start, value.end))
    else if (name === 'embedding') embedding = value
  })
  if (embedding === undefined) throw unusable('an entry without a vector')
  vectors.push(embedding)
  return { index, vector: vectorAt(json, embedding) }
}

function vectorAt(json: Buffer, { start, end }: Span): Vector {
  const vector = vectorIn(json, start, end)
  if (!isWellFormed(vector)) throw unusable('a vector that is neither numbers nor base64 of 32-bit floats')
  return vector
}

function vectorIn(json: Buffer, start: number, end: number): Vector {
  if (json[start] === openBracket) return { encoding: 'float', text: json.subarray(start, end) }
  if (json[start] !== quote) throw unusable('a vector that is neither a list nor base64')
  return { encoding: 'base64', text: withoutEscapes(json.subarray(start + 1, end - 1)) }
}

/** Some JSON writers escape each slash. */
function withoutEscapes(text: Buffer): Buffer {
  if (!text.includes('\\')) return text
  return Buffer.from(text.toString('latin1').replaceAll('\\/', '/'), 'latin1')
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
