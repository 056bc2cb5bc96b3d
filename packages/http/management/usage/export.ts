import type { UsageFilter, UsageStore } from '@turnpike/gateway'
import { fileOfRows, isoDay, jsonLines, type FileFormat, type StreamedFile } from '../files/stream.ts'
import { requestCsv } from './csv.ts'
import { requestRow } from './record.ts'

/** All matching requests, oldest first, as a file. */
export function usageExport(
  usage: UsageStore,
  filter: UsageFilter,
  format: FileFormat,
  onFailure: (error: unknown) => void,
): Promise<StreamedFile> {
  const lines = format === 'csv' ? requestCsv : jsonLines(requestRow)
  const name = `usage-${isoDay(filter.fromMs)}-${isoDay(filter.toMs - 1)}`
  return fileOfRows(usage.export(filter), format, { name, lines, onFailure })
}
