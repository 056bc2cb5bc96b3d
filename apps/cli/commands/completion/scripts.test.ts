import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { entries, groups, loadCommand } from '../all-commands.ts'
import { scriptFor, wordsOf } from './scripts.ts'

const commands = await Promise.all(entries.map(loadCommand))
const words = wordsOf(commands, groups)

/** The words that bash would offer after these. */
function offered(line: string[]): string[] {
  const script = `${scriptFor('bash', words)}
COMP_WORDS=(turnpike "$@")
COMP_CWORD=$#
_turnpike
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script, 'bash', ...line], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
}

describe('bash', () => {
  test.each([
    [['k'], ['keys']],
    [['keys', 're'], ['revoke']],
    [['keys', 'rot'], ['rotate']],
    [['keys', 'create', '--no'], ['--no-cache']],
    [['keys', 'create', '--name', 'keys', '--ex'], ['--expires']],
    [['usage', '--by', 'mo'], ['model']],
    [['models', '--sort', 'out'], ['output']],
    [['completion', 'z'], ['zsh']],
    [['topup', '--amount', ''], []],
    [['--vers'], ['--version']],
  ])('%j is completed by %j', (line, expected) => expect(offered(line)).toEqual(expected))

  test('offers every command', () => {
    const names = new Set(commands.map(({ name }) => name.split(' ')[0]))
    expect(offered([''])).toEqual(expect.arrayContaining([...names]))
  })
})

/** The words that fish would offer after a line; undefined if fish is not installed. */
function offeredByFish(line: string): string[] | undefined {
  const script = `${scriptFor('fish', words)}\ncomplete -C '${line}'`
  try {
    return execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map((entry) => entry.split('\t')[0]!)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

test.skipIf(offeredByFish('') === undefined).each([
  ['turnpike keys r', ['revoke', 'rotate']],
  ['turnpike keys create --no', ['--no-cache']],
  ['turnpike usage --by t', ['tag', 'tier']],
  ['turnpike completion f', ['fish']],
])('fish completes "%s" by %j', (line, expected) => expect(offeredByFish(line)).toEqual(expected))

test.each(['zsh', 'fish'] as const)(
  'the script for %s names every command and option, and quotes what it says',
  (shell) => {
    const script = scriptFor(shell, words)
    for (const { follow } of words) {
      for (const [word] of follow)
        expect(script).toContain(shell === 'fish' ? word.replace(/^--/, '-l ') : word)
    }
    expect(script.match(/'/g)!.length % 2).toBe(0)
  },
)
