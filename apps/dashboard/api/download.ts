import { api, personApi, type Schemas } from './client.ts'
import { ApiFailure } from './api-failure.ts'
import type { QueryOf } from './read-query.ts'

type ExportQuery = QueryOf<'/api/v1/usage/export'>
type LedgerQuery = QueryOf<'/api/v1/ledger/export'>

/**
 * Downloads every request that matches the filters as a file.
 * @throws {ApiFailure}
 */
export async function downloadExport(query: ExportQuery): Promise<void> {
  save(
    `requests.${query.format}`,
    await fileOf(api.GET('/api/v1/usage/export', { params: { query }, ...asFile })),
  )
}

/**
 * Downloads every ledger movement that matches the filters as a file.
 * @throws {ApiFailure}
 */
export async function downloadLedger(query: LedgerQuery): Promise<void> {
  save(
    `ledger.${query.format}`,
    await fileOf(api.GET('/api/v1/ledger/export', { params: { query }, ...asFile })),
  )
}

/**
 * Downloads everything that is stored about the person's account.
 * @throws {ApiFailure}
 */
export async function downloadOwnData(name: string): Promise<void> {
  save(`${name}.zip`, await fileOf(personApi.GET('/api/v1/me/export', asFile)))
}

const asFile = { parseAs: 'blob' } as const

async function fileOf(
  pending: Promise<{ data?: Blob; error?: Schemas['Error']; response: Response }>,
): Promise<Blob> {
  const { data, error, response } = await pending
  if (data === undefined) throw ApiFailure.of(response.status, error)
  return data
}

export function saveText(name: string, type: string, text: string): void {
  save(name, new Blob([text], { type: `${type}; charset=utf-8` }))
}

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // By then the browser has started to save the file.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
