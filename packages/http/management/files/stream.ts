import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

export const fileFormats = ['csv', 'jsonl'] as const
export type FileFormat = (typeof fileFormats)[number]

/** Lines are collected into chunks of this many characters. */
export const chunkCharacters = 64 * 1024

const contentTypes: Record<FileFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
}

export interface StreamedFile {
  headers: Record<string, string>
  body: Readable
}

export interface RowFormat<Row> {
  header: string
  line: (row: Row) => string
}

/**
 * Sends rows as a file. The store is read only as fast as the client downloads, so memory holds one page
 * however many rows there are. The first row is read before the response begins: a failure until then is an
 * error response, a later one a broken connection, never a short file.
 * @param name without its extension
 */
export async function fileOfRows<Row>(
  source: AsyncIterable<Row>,
  format: FileFormat,
  {
    name,
    lines,
    onFailure,
  }: {
    name: string
    lines: RowFormat<Row>
    onFailure: (error: unknown) => void
  },
): Promise<StreamedFile> {
  const rows = source[Symbol.asyncIterator]()
  const first = await rows.next()
  const body = Readable.from(chunksOf(rows, first, lines), {
    objectMode: false,
    highWaterMark: chunkCharacters,
  })
  body.on('error', onFailure)
  // A generator that was never started does not clean up by itself.
  body.on('close', () => void rows.return?.())
  return {
    headers: {
      'content-type': contentTypes[format],
      'content-disposition': `attachment; filename="${name}.${format}"`,
    },
    body,
  }
}

/** Sends a file; for HEAD only its headers, without reading further rows. */
export function sendFile(
  { method }: Pick<FastifyRequest, 'method'>,
  reply: FastifyReply,
  { headers, body }: StreamedFile,
): FastifyReply {
  if (method !== 'HEAD') return reply.headers(headers).send(body)
  body.destroy()
  return reply.headers(headers).send()
}

async function* chunksOf<Row>(
  rows: AsyncIterator<Row>,
  first: IteratorResult<Row>,
  { header, line }: RowFormat<Row>,
): AsyncGenerator<Buffer> {
  let text = header
  try {
    for (let row = first; row.done !== true; row = await rows.next()) {
      text += line(row.value)
      if (text.length < chunkCharacters) continue
      yield Buffer.from(text)
      text = ''
    }
  } finally {
    // The client may have left in the middle: this closes the store's cursor.
    await rows.return?.()
  }
  if (text !== '') yield Buffer.from(text)
}

/** Formats rows as JSON lines. */
export function jsonLines<Row>(show: (row: Row) => unknown): RowFormat<Row> {
  return { header: '', line: (row) => `${JSON.stringify(show(row))}\n` }
}

export function isoDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}
