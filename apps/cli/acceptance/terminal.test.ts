import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { CliHome } from '../testing/cli-home.ts'
import { apiError, credentials, FakeServer, type Answer } from '../testing/fake-server.ts'
import { suiteHomes, suiteProgram } from '../testing/suite.ts'

/** `script` gives a program a terminal of its own; without it, tests that need one are skipped. */
function hasScript(): boolean {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' })
    return process.platform === 'linux'
  } catch {
    console.log('script (util-linux) was not found: conversations are not tested')
    return false
  }
}

const program = suiteProgram()
const homeAt = suiteHomes(program)
let server: FakeServer
let home: CliHome

beforeEach(async () => {
  server = await FakeServer.start()
  home = homeAt(server)
  mkdirSync(home.files)
  home.write('credentials.json', credentials(server.origin))
  home.write('last_key', 'sk-turnpike-x\n')
  return () => server.stop()
})

/** What a user sees and types at a terminal. */
class Terminal {
  text = ''
  readonly ended: Promise<number | null>
  readonly #child: ChildProcess

  constructor(words: string[]) {
    const quoted = [process.execPath, program.path, ...words].map((word) => `'${word}'`)
    const line = `stty -echo; exec ${quoted.join(' ')}`
    this.#child = spawn('script', ['-qefc', line, '/dev/null'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        TURNPIKE_CONFIG_DIR: home.files,
        TURNPIKE_API_URL: server.origin,
        TERM: 'xterm',
        NO_COLOR: '1',
        BROWSER: 'none',
      },
    })
    onTestFinished(() => void this.#child.kill())
    this.#child.stdout!.on('data', (piece: Buffer) => (this.text += piece.toString()))
    this.ended = new Promise((resolve) => this.#child.once('exit', resolve))
  }

  async sees(pattern: RegExp): Promise<void> {
    await expect.poll(() => this.text, { timeout: 15_000 }).toMatch(pattern)
  }

  type(keys: string): void {
    this.text = ''
    this.#child.stdin!.write(keys)
  }
}

/** A model that repeats each message, for a cent each. */
const echo: Answer = (_request, response) => {
  const { messages } = JSON.parse(server.seen.at(-1)!.body) as { messages: { content: string }[] }
  const usage = { prompt_tokens: 3, completion_tokens: messages.length, cost_usd: '0.01' }
  const choice = { delta: { content: `echo of ${messages.at(-1)!.content}` }, finish_reason: 'stop' }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = JSON.stringify({ model: 'a/b', choices: [choice], usage })
  response.end(`: keep-alive\n\ndata: ${chunk}\n\ndata: [DONE]\n\n`)
}

describe.skipIf(!hasScript())('a conversation', () => {
  test('streams, shows the cost of each turn, remembers, forgets, and survives a failure', async () => {
    server.answers['POST /v1/chat/completions'] = [
      echo,
      apiError(503, 'service_unavailable'),
      echo,
      echo,
      echo,
    ]
    const terminal = new Terminal(['chat', '--model', 'a/b', '--system', 'Be brief.'])
    await terminal.sees(/Chatting with a\/b\. [^]*› /)
    terminal.type('one\r')
    await terminal.sees(/echo of one\r\na\/b · 3 in, 2 out · \$0\.01 · [^]*› /)
    terminal.type('lost\r')
    await terminal.sees(/✗ A service_unavailable for a test\.[^]*› /)
    terminal.type('two\r')
    await terminal.sees(/echo of two\r\na\/b · 3 in, 4 out[^]*› /)
    terminal.type('/new\r')
    await terminal.sees(/New conversation[^]*› /)
    terminal.type('pasted\rlines\r')
    await terminal.sees(/echo of pasted\r?\nlines\r\na\/b · 3 in, 2 out[^]*› /)
    terminal.type('/model c/d\r')
    await terminal.sees(/Model: c\/d[^]*› /)
    terminal.type('three\r')
    await terminal.sees(/echo of three[^]*› /)
    expect(JSON.parse(server.seen.at(-1)!.body)).toMatchObject({ model: 'c/d', stream: true })
    terminal.type('\u0004')
    expect(await terminal.ended).toBe(0)
    expect(terminal.text).toContain('4 turns, $0.04')
  })

  test('Ctrl-C stops an answer, and ends the conversation at the prompt', async () => {
    server.answers['POST /v1/chat/completions'] = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"delta":{"content":"Once upon"}}]}\n\n')
    }
    const terminal = new Terminal(['chat', '--model', 'a/b'])
    await terminal.sees(/› /)
    terminal.type('tell\r')
    await terminal.sees(/Once upon/)
    terminal.type('\u0003')
    await terminal.sees(/Stopped\.[^]*› /)
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(0)
  })

  test('revoking asks for confirmation, and accepts a no', async () => {
    const key = {
      id: 'key_1',
      name: 'laptop',
      key_prefix: 'sk-turnpike-abcd',
      status: 'active',
      balance_usd: '5',
    }
    server.answers['GET /api/v1/me/keys/key_1'] = { body: key }
    const terminal = new Terminal(['keys', 'revoke', 'key_1'])
    await terminal.sees(/\? Revoke laptop \(\$5\.00\)\? This cannot be undone\. \(y\/N\) /)
    terminal.type('\r')
    expect(await terminal.ended).toBe(1)
    expect(terminal.text).toContain('✗ Cancelled.')
    expect(server.seen.map(({ method }) => method)).toEqual(['GET'])
  })
})

test('route explains a decision', async () => {
  const decision = {
    model: 'anthropic/claude-opus',
    tier: 'REASONING',
    scored_tier: 'COMPLEX',
    calibration: 'on',
    calibrated_tier: 'REASONING',
    correction: { SIMPLE: 0, REASONING: 0.4 },
    score: 0.91,
    probabilities: { SIMPLE: 0.04, REASONING: 0.97 },
    reasons: [
      { reason: 'asks for a proof', weight: 1.4 },
      { reason: 'short', weight: -0.2 },
    ],
    because: ['has tools'],
    filters: [{ model: 'a/b', reason: 'no images' }],
    candidates: [
      { model: 'anthropic/claude-opus', tier: 'REASONING', expected_cost_usd: '0.0125', healthy: true },
      { model: 'openai/gpt-5', tier: 'REASONING', expected_cost_usd: '0.02', healthy: false },
    ],
    runner_up: 'openai/gpt-5',
  }
  server.answers['POST /api/v1/route'] = { body: decision }
  const { stdout, code } = await home.run(['route', 'Prove', 'it'], {
    env: { TURNPIKE_FORCE_TTY: '80', NO_COLOR: '1' },
  })
  expect(code).toBe(0)
  expect(stdout).toBe(
    [
      'anthropic/claude-opus  REASONING, before openai/gpt-5',
      '',
      'Chance of success by tier',
      '  SIMPLE       4 %  ▊',
      '  REASONING   97 %  ███████████████████▍',
      '',
      'Why (+ for a stronger model, − for a simpler one)',
      '  + asks for a proof',
      '  − short',
      '  · has tools',
      '',
      'Adjusted by your outcomes',
      '  ask for REASONING; the prompt alone asks for COMPLEX',
      '  REASONING  +0.40 log-odds',
      '',
      'In the order in which they would be tried',
      '  anthropic/claude-opus  $0.0125         REASONING',
      '  openai/gpt-5           $0.02           REASONING  rests',
      '',
      'Cannot handle it',
      '  a/b  no images',
      '',
    ].join('\n'),
  )
  const messages = [{ role: 'user', content: 'Prove it' }]
  expect(JSON.parse(server.seen.at(-1)!.body)).toEqual({ model: 'turnpike/auto', messages })
  expect((await home.json(['route'], { stdin: 'Prove it' })).value).toEqual(decision)
})

test('output that is read only in part is not a failure', async () => {
  const script = `'${process.execPath}' '${program.path}' completion fish | head -1; echo "\${PIPESTATUS[0]}"`
  expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe(
    '# fish completion for turnpike\n0\n',
  )
})
