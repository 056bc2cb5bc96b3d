import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entries, loadCommand } from '../commands/all-commands.ts'
import { plain } from '../terminal/style.ts'
import { textWidth } from '../terminal/text-width.ts'
import { commandHelp, programHelp } from './help-text.ts'
import { reference } from './reference.ts'

const commands = await Promise.all(entries.map(loadCommand))

const screenOf = (width: number) => ({ isTerminal: true, width, style: plain, nowMs: 0 })

test('docs/cli.md matches the commands', async () => {
  await expect(await reference()).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/cli.md'))
})

test('every command has examples that begin with its name, and fields', () => {
  for (const { name, examples, fields } of commands) {
    expect(examples.length, name).toBeGreaterThan(0)
    expect(
      examples.some(({ line }) => new RegExp(`turnpike(/cli)? ${name}`).test(line)),
      name,
    ).toBe(true)
    expect(new Set(fields).size, name).toBe(fields.length)
    // The output of `mcp` is for its client.
    expect(fields.length > 0, name).toBe(name !== 'mcp')
  }
})

test.each([64, 80, 200])('help fits a terminal of %i columns, apart from examples', (width) => {
  const pages = [
    programHelp(screenOf(width)),
    ...commands.map((command) => commandHelp(command, screenOf(width))),
  ]
  const long = pages
    .flatMap((page) => page.split('\n'))
    .filter((line) => textWidth(line) > width && !/^ {2}[$#]/.test(line))
  expect(long).toEqual([])
})
