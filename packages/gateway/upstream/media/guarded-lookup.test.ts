import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { AddressRefused, guardedLookup } from './guarded-lookup.ts'
import { isPublicAddress } from './public-address.ts'
import { nameServers, type Zone } from './testing/name-server.ts'

const { nameServer, close } = nameServers()
afterEach(close)

function found(hostname: string, servers: readonly string[]): Promise<LookupAddress[] | Error> {
  const look = guardedLookup(isPublicAddress, servers)
  return new Promise((resolve) =>
    look(hostname, { all: true }, (error, addresses) => resolve(error ?? (addresses as LookupAddress[]))),
  )
}

const publicA = [8, 8, 8, 8]
const publicAaaa = [0x26, 0x06, 0x47, 0, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11]
const mapped = [...Array<number>(10).fill(0), 255, 255, 10, 0, 0, 1]
const zone: Zone = {
  'both.example': { A: [publicA], AAAA: [publicAaaa] },
  'old.example': { A: [publicA] },
  'new.example': { AAAA: [publicAaaa] },
  'none.example': {},
  'mixed.example': { A: [publicA, [10, 0, 0, 1]] },
  'mixed6.example': { A: [publicA], AAAA: [[...Array<number>(15).fill(0), 1]] },
  'mapped.example': { A: [publicA], AAAA: [mapped] },
}

describe('the addresses of a name', () => {
  test.each([
    ['both.example', ['8.8.8.8', '2606:4700:4700::1111']],
    ['old.example', ['8.8.8.8']],
    ['OLD.example.', ['8.8.8.8']],
    ['new.example', ['2606:4700:4700::1111']],
  ])('%s', async (name, addresses) => {
    const { servers } = await nameServer(() => zone)
    const answer = await found(name, servers)
    expect(answer).toEqual(addresses.map((address) => expect.objectContaining({ address }) as object))
  })

  test.each(['mixed.example', 'mixed6.example', 'mapped.example', 'localhost', 'LOCALHOST.', 'a.localhost'])(
    'are rejected if one of them is not public: %s',
    async (name) => {
      const { servers } = await nameServer(() => zone)
      expect(await found(name, servers)).toBeInstanceOf(AddressRefused)
    },
  )

  test.each([
    ['none.example', 'ENODATA'],
    ['nobody.example', 'ENOTFOUND'],
  ])('do not exist for %s', async (name, code) => {
    const { servers } = await nameServer(() => zone)
    expect(await found(name, servers)).toMatchObject({ code })
  })

  test('are looked up once: the next look-up is checked again', async () => {
    let addresses = [publicA]
    const { servers, asked } = await nameServer(() => ({ 'a.example': { A: addresses } }))
    expect(await found('a.example', servers)).toMatchObject([{ address: '8.8.8.8' }])
    addresses = [[127, 0, 0, 1]]
    expect(await found('a.example', servers)).toBeInstanceOf(AddressRefused)
    expect(asked.toSorted()).toEqual(['A a.example', 'A a.example', 'AAAA a.example', 'AAAA a.example'])
  })

  test('do not delay other look-ups of the process while their name server is silent', async () => {
    const { servers } = await nameServer()
    let ended = 0
    const silent = Array.from({ length: 20 }, async (_, index) => {
      await found(`silent${index}.example`, servers)
      ended++
    })
    expect(await lookup('localhost')).toMatchObject({ address: expect.any(String) as string })
    expect(ended).toBe(0)
    expect(silent).toHaveLength(20)
  }, 30_000)
})
