import { expect } from 'vitest'
import { SseParser, utf8 } from '../../sse/parser.ts'
import type { OutputItem } from '../items.ts'

export interface Event {
  type: string
  sequence_number: number
  output_index?: number
  content_index?: number
  summary_index?: number
  item_id?: string
  item?: OutputItem
  part?: { type: string; text?: string; refusal?: string; annotations?: unknown[]; logprobs?: unknown[] }
  delta?: string
  text?: string
  refusal?: string
  arguments?: string
  input?: string
  logprobs?: unknown[]
  annotation?: unknown
  annotation_index?: number
  response?: Response
}

export interface Response {
  id: string
  model: string
  status: string
  output: OutputItem[]
  usage: Record<string, unknown> | null
  error: { code: string; message: string } | null
  incomplete_details: { reason: string } | null
  [member: string]: unknown
}

/** The events of a stream as a client of OpenAI's reads them, each with its type and number checked. */
export function eventsOf(latin1: string): Event[] {
  const text = Buffer.from(latin1, 'latin1').toString('utf8')
  const blocks = text.split('\n\n').filter((one) => one !== '' && !one.startsWith(':'))
  return blocks.map((one, index) => {
    const [name, data, ...rest] = one.split('\n')
    const event = JSON.parse(data!.slice('data: '.length)) as Event
    expect([name, rest, event.sequence_number]).toEqual([`event: ${event.type}`, [], index])
    return event
  })
}

/** The events of a recorded stream as its vendor sent them, without an end marker. */
export function recordedEvents(bytes: Buffer): Event[] {
  const events: Event[] = []
  const parser = new SseParser({
    onEvent: (data) => {
      if (data !== '[DONE]') events.push(JSON.parse(utf8(data)) as Event)
    },
  })
  parser.push(bytes.toString('latin1'))
  parser.end()
  return events
}

/** The joined deltas of one text, and whether its events came in order. */
interface Piece {
  added: boolean
  text: string
  done: string | undefined
}

const textEvents = /^response\.(.+)\.(delta|done)$/

/**
 * Assembles the items of a whole stream from its deltas only, and compares them with its other events: items
 * follow each other, each is added and done once, and a text is the same in all events that contain it.
 */
export function readItems(events: readonly Event[]): OutputItem[] {
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress'])
  const items: OutputItem[] = []
  let open: OutputItem | undefined
  let pieces = new Map<string, Piece>()
  for (const event of events.slice(2, -1)) {
    if (event.type === 'response.output_item.added') {
      expect([open, event.output_index]).toEqual([undefined, items.length])
      open = event.item!
      pieces = new Map()
    } else if (event.type === 'response.output_item.done') {
      expect([event.output_index, event.item!.id, event.item!.type]).toEqual([
        items.length,
        open?.id,
        open?.type,
      ])
      expectPieces(event.item!, pieces)
      items.push(event.item!)
      open = undefined
    } else {
      expect([event.output_index, event.item_id]).toEqual([items.length, open?.id])
      readPiece(event, pieces)
    }
  }
  expect(open).toBeUndefined()
  return items
}

function readPiece(event: Event, pieces: Map<string, Piece>): void {
  const key = String(event.content_index ?? event.summary_index ?? 0)
  const piece = pieces.get(key) ?? { added: false, text: '', done: undefined }
  pieces.set(key, piece)
  const { part } = event
  if (event.type.endsWith('part.added')) {
    expect([piece.added, piece.text, part?.text ?? part?.refusal]).toEqual([false, '', ''])
    piece.added = true
  } else if (event.type.endsWith('part.done')) expect(part?.text ?? part?.refusal).toBe(piece.done)
  else if (event.type === 'response.output_text.annotation.added') expect(piece.added).toBe(true)
  else {
    const [, , what] = textEvents.exec(event.type)!
    expect(piece.done).toBeUndefined()
    if (what === 'delta') piece.text += event.delta!
    else piece.done = event.text ?? event.refusal ?? event.arguments ?? event.input
    if (what === 'done') expect(piece.done).toBe(piece.text)
  }
}

function expectPieces(item: OutputItem, pieces: ReadonlyMap<string, Piece>): void {
  const items = [...pieces.values()].map(({ done }) => done)
  switch (item.type) {
    case 'message':
      expect(item.content.map((part) => (part.type === 'refusal' ? part.refusal : part.text))).toEqual(items)
      break
    case 'reasoning':
      expect([...item.summary, ...(item.content ?? [])].map(({ text }) => text)).toEqual(items)
      break
    case 'function_call':
      expect([item.arguments]).toEqual(items)
      break
    case 'custom_tool_call':
      expect([item.input]).toEqual(items)
      break
    case 'tool_search_call':
      expect(items).toEqual([])
      break
  }
}
