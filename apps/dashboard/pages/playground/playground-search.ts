import { textIn } from '../../search.ts'

export function playgroundSearch(search: Record<string, unknown>): { model?: string; key?: string } {
  const model = textIn(search, 'model')
  const key = textIn(search, 'key')
  return { ...(model && { model }), ...(key && { key }) }
}
