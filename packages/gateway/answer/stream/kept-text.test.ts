import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KeptText } from './kept-text.ts'

it('returns the text in complete characters, however it was split', () => {
  const piece = fc.string({ unit: 'binary', maxLength: 3_000 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const kept = new KeptText()
      let written = ''
      for (const text of pieces) {
        if (!kept.addShort(text)) kept.add(text)
        written += Buffer.from(text).toString()
      }
      expect(written.startsWith(kept.text)).toBe(true)
      expect(kept.bytes).toBe(Buffer.byteLength(kept.text))
      if (Buffer.byteLength(written) < 16 * 1024 - 100) expect(kept.text).toBe(written)
    }),
  )
})

it('keeps 16 KiB, and takes no more memory than that', () => {
  const kept = new KeptText()
  kept.add('a'.repeat(100_000))
  expect(kept.bytes).toBe(16 * 1024)
  expect(kept.addShort('b')).toBe(false)
  kept.add('b')
  expect(kept.text).toBe('a'.repeat(16 * 1024))
})

it('truncates across pieces, and appends after what is left', () => {
  const kept = new KeptText()
  kept.add('0123456789'.repeat(700))
  kept.truncate(13)
  expect(kept.text).toBe('0123456789012')
  kept.add('x'.repeat(2_000))
  expect(kept.text).toBe(`0123456789012${'x'.repeat(2_000)}`)
  kept.truncate(0)
  expect([kept.text, kept.bytes]).toEqual(['', 0])
})

it('contains nothing of the text whose memory it took over', () => {
  const first = new KeptText()
  first.add('secret '.repeat(2_000))
  first.free()
  const second = new KeptText()
  expect([second.text, second.bytes]).toEqual(['', 0])
  second.add('é'.repeat(3_000))
  second.truncate(1_001)
  expect(second.text.startsWith('é'.repeat(500))).toBe(true)
  expect(second.text).not.toContain('secret')
})
