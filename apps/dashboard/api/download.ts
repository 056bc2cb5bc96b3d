import { api } from './client.ts'
import { ApiFailure } from './api-failure.ts'
import type { paths } from './schema.ts'

type ExportQuery = paths['/api/v1/usage/export']['get']['parameters']['query']

/** Every request of these filters, as a file. @throws {ApiFailure} */
export async function downloadExport(query: ExportQuery): Promise<void> {
  const { data, error, response } = await api.GET('/api/v1/usage/export', {
    params: { query },
    parseAs: 'blob',
  })
  if (data === undefined) throw ApiFailure.of(response.status, error)
  save(`requests.${query.format}`, data)
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
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
