import { Readable } from 'node:stream'
import type { RequestRecord, UsageFilter, UsageStore } from '@turnpike/gateway'
import { csvHeader, csvLine } from './csv.ts'
import { requestRow } from './record.ts'

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Lines are gathered until so many characters go to the socket at once. */
const chunkCharacters = 64 * 1024

const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
}

export interface UsageExport {
  headers: Record<string, string>
  body: Readable
}

/**
 * All requests that match, oldest first, as a file. The store is asked for more when the client has taken
 * what was read, so memory holds one page whatever the range. The first row is read before the answer
 * begins: a failure until then is an error answer, a later one a broken connection, never a short file.
 */
export async function usageExport(
  usage: UsageStore,
  filter: UsageFilter,
  format: ExportFormat,
  onFailure: (error: unknown) => void,
): Promise<UsageExport> {
  const rows = usage.export(filter)[Symbol.asyncIterator]()
  const first = await rows.next()
  const chunks =
    format === 'csv' ? chunksOf(rows, first, csvLine, csvHeader) : chunksOf(rows, first, jsonLine, '')
  const body = Readable.from(chunks, { objectMode: false, highWaterMark: chunkCharacters })
  body.on('error', onFailure)
  const name = `usage-${isoDay(filter.fromMs)}-${isoDay(filter.toMs - 1)}.${format}`
  return {
    headers: {
      'content-type': contentTypes[format],
      'content-disposition': `attachment; filename="${name}"`,
    },
    body,
  }
}

async function* chunksOf(
  rows: AsyncIterator<RequestRecord>,
  first: IteratorResult<RequestRecord>,
  line: (record: RequestRecord) => string,
  head: string,
): AsyncGenerator<Buffer> {
  let text = head
  try {
    for (let row = first; row.done !== true; row = await rows.next()) {
      text += line(row.value)
      if (text.length < chunkCharacters) continue
      yield Buffer.from(text)
      text = ''
    }
  } finally {
    // The client may have left in the middle: the store's cursor ends with it.
    await rows.return?.()
  }
  if (text !== '') yield Buffer.from(text)
}

function jsonLine(record: RequestRecord): string {
  return `${JSON.stringify(requestRow(record))}\n`
}

function isoDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}
