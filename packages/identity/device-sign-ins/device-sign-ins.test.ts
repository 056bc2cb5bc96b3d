import { beforeEach, describe, expect, it } from 'vitest'
import { newAccount } from '../../storage/testing/fixtures.ts'
import { onEachEngine } from '../../storage/testing/test-database.ts'
import { hashApiKey, isWellFormedApiKey, newApiKey } from '../api-keys/raw-key.ts'
import { DeviceSignIns, type DeviceTokens } from './device-sign-ins.ts'
import { apiKeyOf } from '../api-keys/raw-key.ts'
import { newUserCode, normalizeUserCode } from './tokens.ts'

const startMs = Date.UTC(2026, 2, 10, 12)
const minuteMs = 60_000
const dayMs = 86_400_000
const noLimits = { expiresAtMs: null, allowedModels: null, spendLimitPico: null, spendLimitPeriod: null }

describe('a user code', () => {
  it('is accepted in any spelling, and rejected if it cannot be a code', () => {
    const code = newUserCode()
    const bare = code.replace('-', '')
    for (const typed of [code, bare, code.toLowerCase(), `${bare.slice(0, 4)} ${bare.slice(4)}`, ` ${code} `])
      expect(normalizeUserCode(typed)).toBe(code)
    for (const wrong of ['', 'BCDF', `${code}B`, 'AEIO-UAEI', 'BCDF-GHJ1'])
      expect(normalizeUserCode(wrong)).toBeUndefined()
  })
})

describe('a key made of given bytes', () => {
  it('is always the same, and well-formed', () => {
    const bytes = Uint8Array.from({ length: 64 }, (_, index) => index * 4)
    expect(apiKeyOf(bytes)).toEqual(apiKeyOf(bytes))
    expect(isWellFormedApiKey(apiKeyOf(bytes).raw)).toBe(true)
    expect(() => apiKeyOf(new Uint8Array(64).fill(255))).toThrow('too few')
  })
})

describe('the sign-in of a device', () => {
  onEachEngine((opened) => {
    let nowMs: number
    let ended: string[]
    let signIns: DeviceSignIns
    let accountId: string
    let keyId: string

    beforeEach(async () => {
      const { storage } = opened()
      nowMs = startMs
      ended = []
      const onEnded = (id: string): void => void ended.push(id)
      signIns = new DeviceSignIns({ store: storage.signIns, clock: () => nowMs, onEnded })
      accountId = (await newAccount(storage)).id
      const { prefix: keyPrefix, hash: keyHash } = newApiKey()
      const key = {
        accountId,
        name: 'Claude Code',
        keyPrefix,
        keyHash,
        ...noLimits,
        madeFor: 'claude_code' as const,
      }
      keyId = (await storage.apiKeys.create(key, nowMs)).id
    })

    const readyKey = async (): Promise<{ id: string }> => ({ id: keyId })

    async function approvedCode(): Promise<string> {
      const { userCode, deviceCode } = await signIns.begin('claude_code', '203.0.113.7')
      expect(await signIns.approve((await signIns.waiting(userCode))!, accountId, readyKey)).toBe(true)
      return deviceCode
    }

    async function signedIn(): Promise<DeviceTokens> {
      const tokens = await signIns.poll(await approvedCode())
      if (typeof tokens === 'string') throw new Error(tokens)
      return tokens
    }

    async function refreshed(token: string): Promise<DeviceTokens> {
      const tokens = await signIns.refresh(token)
      if (typeof tokens === 'string') throw new Error(tokens)
      return tokens
    }

    const known = async (raw: string) => {
      const hash = hashApiKey(raw)
      return (await opened().storage.apiKeys.findByHashes([hash])).get(hash)
    }

    it('issues tokens to one of several simultaneous polls', async () => {
      const code = await approvedCode()
      const answers = await Promise.all(Array.from({ length: 5 }, () => signIns.poll(code)))
      expect(answers.filter((answer) => answer !== 'invalid_grant')).toHaveLength(1)
    })

    it('is decided once, even by simultaneous decisions', async () => {
      const { userCode } = await signIns.begin('claude_code', '203.0.113.7')
      const waiting = (await signIns.waiting(userCode))!
      const approvals = Array.from({ length: 3 }, () => signIns.approve(waiting, accountId, readyKey))
      const decisions = await Promise.all([...approvals, signIns.deny(waiting)])
      expect(decisions.filter(Boolean)).toHaveLength(1)
      expect(await signIns.waiting(userCode)).toBeUndefined()
    })

    it('prepares its key for one of several simultaneous approvals', async () => {
      const { userCode } = await signIns.begin('claude_code', '203.0.113.7')
      const waiting = (await signIns.waiting(userCode))!
      let times = 0
      const counted = (): Promise<{ id: string }> => {
        times++
        return readyKey()
      }
      const other = (await newAccount(opened().storage)).id
      const approvals = [accountId, accountId, other].map((one) => signIns.approve(waiting, one, counted))
      expect((await Promise.all(approvals)).filter(Boolean)).toHaveLength(1)
      expect(times).toBe(1)
    })

    it('can be decided again if its key could not be prepared', async () => {
      const { userCode, deviceCode } = await signIns.begin('claude_code', '203.0.113.7')
      const waiting = (await signIns.waiting(userCode))!
      const tooLittle = new Error('too little credit')
      await expect(signIns.approve(waiting, accountId, () => Promise.reject(tooLittle))).rejects.toBe(
        tooLittle,
      )
      expect(await signIns.poll(deviceCode)).toBe('authorization_pending')
      expect(await signIns.approve(waiting, accountId, readyKey)).toBe(true)
    })

    it('cannot be denied while it is being approved', async () => {
      const { userCode } = await signIns.begin('claude_code', '203.0.113.7')
      const waiting = (await signIns.waiting(userCode))!
      const denials: boolean[] = []
      const approved = await signIns.approve(waiting, accountId, async () => {
        denials.push(await signIns.deny(waiting))
        return readyKey()
      })
      expect([approved, ...denials]).toEqual([true, false])
    })

    it('gets one key per program from several simultaneous approvals', async () => {
      const { storage } = opened()
      const { id: other } = await newAccount(storage)
      const made = async (): Promise<string> => {
        const { prefix: keyPrefix, hash: keyHash } = newApiKey()
        const madeFor = 'claude_code' as const
        const key = { accountId: other, name: 'Claude Code', keyPrefix, keyHash, ...noLimits, madeFor }
        return (await storage.apiKeys.create(key, nowMs)).id
      }
      const ids = await Promise.all(Array.from({ length: 8 }, made))
      expect(new Set(ids).size).toBe(1)
      expect((await storage.apiKeys.list(other, { limit: 10 })).rows).toHaveLength(1)
      await storage.apiKeys.revoke(other, ids[0]!, nowMs)
      expect(await made()).not.toBe(ids[0])
    })

    it('does not use a key that has expired', async () => {
      const { refreshToken } = await signedIn()
      await opened().storage.apiKeys.update(accountId, keyId, { expiresAtMs: nowMs + minuteMs })
      expect(await signIns.keyFor(accountId, 'claude_code', null)).toBe(keyId)
      nowMs += minuteMs
      expect(await signIns.keyFor(accountId, 'claude_code', null)).toBeUndefined()
      expect(await signIns.refresh(refreshToken)).toBe('invalid_grant')
    })

    it('expires with its code', async () => {
      const { userCode, deviceCode } = await signIns.begin('other', '203.0.113.7')
      const waiting = (await signIns.waiting(userCode))!
      nowMs += 10 * minuteMs
      expect(await signIns.waiting(userCode)).toBeUndefined()
      expect(await signIns.approve(waiting, accountId, readyKey)).toBe(false)
      expect(await signIns.poll(deviceCode)).toBe('expired_token')
    })

    it('has access tokens that work as the key for an hour', async () => {
      const { accessToken } = await signedIn()
      expect(await known(accessToken)).toMatchObject({
        id: keyId,
        secretOf: keyId,
        accountId,
        status: 'active',
        expiresAtMs: nowMs + 60 * minuteMs,
      })
    })

    it('answers a repeated refresh token alike for a minute, and ends if it is repeated later', async () => {
      const { refreshToken } = await signedIn()
      const first = await refreshed(refreshToken)
      nowMs += minuteMs - 1
      const again = await refreshed(refreshToken)
      expect([again.accessToken, again.refreshToken]).toEqual([first.accessToken, first.refreshToken])
      expect(again.expiresInSeconds).toBeLessThan(first.expiresInSeconds)
      nowMs += 1
      ended.length = 0
      expect(await signIns.refresh(refreshToken)).toBe('invalid_grant')
      expect(ended).toEqual([keyId])
      expect(await signIns.refresh(first.refreshToken)).toBe('invalid_grant')
      expect(await known(first.accessToken)).toBeUndefined()
    })

    it('has at most 20 access tokens, however often they are renewed', async () => {
      const first = await signedIn()
      let latest = first
      const all = [first.accessToken]
      for (let count = 0; count < 25; count++) {
        nowMs += 1
        latest = await refreshed(latest.refreshToken)
        all.push(latest.accessToken)
      }
      const found = await Promise.all(all.map(known))
      expect(found.map((key) => key !== undefined)).toEqual([
        ...Array<boolean>(6).fill(false),
        ...Array<boolean>(20).fill(true),
      ])
    })

    it('ends if somebody guesses at one of its tokens, and only for its own tokens', async () => {
      const { refreshToken } = await signedIn()
      expect(await signIns.refresh(`${'x'.repeat(22)}.${'x'.repeat(43)}`)).toBe('invalid_grant')
      expect(await signIns.refresh('made up')).toBe('invalid_grant')
      await refreshed(refreshToken)
      const [family] = refreshToken.split('.')
      expect(await signIns.refresh(`${family}.${'x'.repeat(43)}`)).toBe('invalid_grant')
      nowMs += 1
      expect(await signIns.refresh(refreshToken)).toBe('invalid_grant')
    })

    it('lasts 30 days without use, and a year in total', async () => {
      const { refreshToken: unused } = await signedIn()
      let { refreshToken } = await signedIn()
      for (let days = 0; days < 360; days += 29) {
        nowMs += 29 * dayMs
        if (days + 29 < 365) ({ refreshToken } = await refreshed(refreshToken))
      }
      expect(await signIns.refresh(unused)).toBe('invalid_grant')
      nowMs = startMs + 365 * dayMs
      expect(await signIns.refresh(refreshToken)).toBe('invalid_grant')
    })

    it('is one of at most 20 per key: the oldest ends', async () => {
      const all: DeviceTokens[] = []
      for (let count = 0; count < 21; count++) all.push(await signedIn())
      expect(await known(all[0]!.accessToken)).toBeUndefined()
      expect(await known(all[1]!.accessToken)).toMatchObject({ id: keyId })
      expect(await signIns.refresh(all[0]!.refreshToken)).toBe('invalid_grant')
    })

    it('is rejected once its key is revoked, and follows a rotation during the grace period', async () => {
      const { storage } = opened()
      const { accessToken, refreshToken } = await signedIn()
      const { prefix: keyPrefix, hash: keyHash } = newApiKey()
      const rotated = await storage.apiKeys.rotate(
        { accountId, keyId, keyPrefix, keyHash, graceMs: dayMs },
        nowMs,
      )
      const newId = 'key' in rotated ? rotated.key.id : ''
      expect(await known(accessToken)).toMatchObject({ id: newId, secretOf: keyId, status: 'active' })
      // The next sign-in finds the key that took over.
      expect(await signIns.keyFor(accountId, 'claude_code', null)).toBe(newId)
      await storage.apiKeys.revoke(accountId, keyId, nowMs)
      expect(await known(accessToken)).toMatchObject({ status: 'revoked' })
      expect(await signIns.refresh(refreshToken)).toBe('invalid_grant')
    })

    it('leaves nothing behind after it expires', async () => {
      const { store, tokens } = { store: opened().storage.signIns, tokens: await signedIn() }
      await signIns.begin('claude_code', '203.0.113.7')
      nowMs += 31 * dayMs
      await store.removeExpired(nowMs)
      expect(await known(tokens.accessToken)).toBeUndefined()
      expect(await signIns.refresh(tokens.refreshToken)).toBe('invalid_grant')
    })
  })
})
