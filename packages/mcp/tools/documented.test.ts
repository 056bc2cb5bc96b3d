import { readFileSync } from 'node:fs'
import { mcpScopeNames } from '@turnpike/identity'
import { expect, test } from 'vitest'
import { toolDefinition } from '../tool-definition.ts'
import { tools } from './all-tools.ts'

test('docs/mcp.md lists every tool with its scopes, and no other tool', () => {
  const text = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `([a-z_]+)` \| (`[^|]*) \| [^|]* \|$/gm)]
  const documentedTools = rows.map(([, name, scopes]) => [name, scopes!.replaceAll('`', '').split(', ')])
  expect(documentedTools).toEqual(tools.map(({ name, scopes }) => [name, scopes]))
})

test.each(tools)('$name gives clients everything they rely on', (tool) => {
  const { listed } = toolDefinition(tool)
  expect(listed.description!.length).toBeGreaterThan(20)
  expect(listed.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
  expect(listed.outputSchema).toMatchObject({ type: 'object' })
  expect(listed.annotations).toHaveProperty('readOnlyHint')
  for (const scope of tool.scopes) expect(mcpScopeNames).toContain(scope)
})

test.each(tools)('$name has schemas that clients can read that accept only one type per field', (tool) => {
  const { listed } = toolDefinition(tool)
  const lists = /"type":\[/
  expect(JSON.stringify(listed.inputSchema)).not.toMatch(lists)
  expect(JSON.stringify(listed.outputSchema)).not.toMatch(lists)
})
