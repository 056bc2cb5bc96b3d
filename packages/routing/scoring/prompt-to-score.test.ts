import { describe, expect, test } from 'vitest'
import type { Message } from '@turnpike/protocol'
import { isAnaphoric } from './anaphora.ts'
import { withoutHarnessBlocks } from './harness-blocks.ts'
import { promptToScore } from './prompt-to-score.ts'

const says = (role: 'user' | 'assistant' | 'system', text: string): Message => ({
  role,
  content: [{ kind: 'text', text }],
})

describe('harness blocks', () => {
  test.each([
    ['<system-reminder>x</system-reminder>hello', 'hello'],
    ['hello<system-reminder priority="1">x\n<b>y</b></system-reminder> there', 'hello there'],
    ['<System-Reminder>a<system-reminder>b</system-reminder>c</system-reminder>hello', 'hello'],
    [
      '<environment_context><cwd>src</cwd></environment_context>hello<ide_selection>z</ide_selection>',
      'hello',
    ],
    ['hello <system-reminder>never closed', 'hello '],
    ['why does a < b <c> fail?', 'why does a < b <c> fail?'],
    ['<div>my page</div>', '<div>my page</div>'],
    ['no marks at all', 'no marks at all'],
  ])('%s', (text, left) => expect(withoutHarnessBlocks(text)).toBe(left))

  // Each tag was once searched for up to the end of the text, which blocked the event loop for minutes.
  test('a megabyte of tags that are never closed', () => {
    const text = '<INSTRUCTIONS '.repeat(75_000)
    expect(withoutHarnessBlocks(text)).toBe(text)
  })
})

describe('anaphora', () => {
  test.each([
    'yes',
    'Yes, go on.',
    'ok do it please',
    'try again',
    'why?',
    'continue',
    '继续',
    'weiter',
    'the second one',
  ])('%s', (ask) => expect(isAnaphoric(ask)).toBe(true))

  test.each([
    'hi',
    'thanks',
    'do it in Python instead',
    'why is the sky blue?',
    'continue the proof by induction',
    'a',
  ])('not: %s', (ask) => expect(isAnaphoric(ask)).toBe(false))
})

describe('the scored text', () => {
  test('is the user’s last message, even within an agent’s turn', () => {
    const messages: Message[] = [
      says('system', 'You prove theorems.'),
      says('user', 'first'),
      says('assistant', 'done'),
      says('user', 'rename the file'),
      {
        role: 'assistant',
        content: [{ kind: 'tool-call', id: 'call', name: 'mv', arguments: '{}', variant: 'function' }],
      },
      { role: 'tool', toolCallId: 'call', content: [{ kind: 'text', text: 'prove prove prove' }] },
    ]
    expect(promptToScore(messages)).toEqual({
      text: 'rename the file',
      anaphoric: false,
      asks: 2,
      withinTurn: true,
    })
  })

  test('is the message that a reference refers to', () => {
    const messages = [says('user', 'prove Fermat'), says('assistant', 'I began.'), says('user', 'yes, go on')]
    expect(promptToScore(messages)).toEqual({
      text: 'prove Fermat',
      anaphoric: true,
      asks: 2,
      withinTurn: false,
    })
  })

  test('ignores messages that consist of reminders', () => {
    const messages = [says('user', 'hello'), says('user', '<system-reminder>prove it</system-reminder>\n')]
    expect(promptToScore(messages)).toEqual({ text: 'hello', anaphoric: false, asks: 1, withinTurn: false })
  })

  test('is a reference itself if it refers to nothing, and empty without any message', () => {
    expect(promptToScore([says('user', 'continue')])).toMatchObject({ text: 'continue', anaphoric: true })
    expect(promptToScore([says('system', 'x')])).toEqual({
      text: '',
      anaphoric: false,
      asks: 0,
      withinTurn: false,
    })
  })
})
