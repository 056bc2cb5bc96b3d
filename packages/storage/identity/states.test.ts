import type { StateRecord } from '@turnpike/identity'
import { describe, expect, test } from 'vitest'
import { uniqueText } from '../testing/fixtures.ts'
import { onEachEngine } from '../testing/test-database.ts'

onEachEngine((opened) => {
  const states = () => opened().storage.identity.state

  function newState(fields: Partial<StateRecord> = {}): StateRecord {
    return {
      kind: 'Session',
      id: uniqueText(),
      payload: { nested: { list: [1, 'two', null] } },
      uid: null,
      userCode: null,
      grantId: null,
      expiresAtMs: Date.now() + 60_000,
      ...fields,
    }
  }

  describe('states of the identity provider', () => {
    test('are found by kind and id, and replaced when written again', async () => {
      const state = newState()
      await states().write(state)
      expect(await states().find('Session', state.id)).toEqual({ payload: state.payload, consumedAtMs: null })
      expect(await states().find('Grant', state.id)).toBeUndefined()
      await states().write({ ...state, payload: { other: true } })
      expect((await states().find('Session', state.id))?.payload).toEqual({ other: true })
      await states().remove('Session', state.id)
      expect(await states().find('Session', state.id)).toBeUndefined()
    })

    test('are found by uid and user code; a second device with the same code is refused', async () => {
      const state = newState({ kind: 'DeviceCode', uid: uniqueText(), userCode: uniqueText() })
      await states().write(state)
      expect(await states().findByUid('DeviceCode', state.uid!)).toMatchObject({ payload: state.payload })
      expect(await states().findByUserCode('DeviceCode', state.userCode!)).toMatchObject({
        payload: state.payload,
      })
      expect(await states().findByUserCode('Session', state.userCode!)).toBeUndefined()
      await expect(
        states().write(newState({ kind: 'DeviceCode', userCode: state.userCode })),
      ).rejects.toThrow()
    })

    test('are consumed once, even concurrently, and stay consumed', async () => {
      const state = newState({ kind: 'AuthorizationCode' })
      await states().write(state)
      const tries = Array.from({ length: 20 }, () => states().consume('AuthorizationCode', state.id, 1234))
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
      await states().write(state)
      expect((await states().find('AuthorizationCode', state.id))?.consumedAtMs).toBe(1234)
      expect(await states().consume('AuthorizationCode', uniqueText(), 1)).toBe(false)
    })

    test('of a grant are deleted with it, and no others', async () => {
      const [grantId, other] = [uniqueText(), uniqueText()]
      const tokens = [grantId, grantId, other].map((id) => newState({ kind: 'RefreshToken', grantId: id }))
      const code = newState({ kind: 'DeviceCode', grantId })
      for (const state of [...tokens, code]) await states().write(state)
      await states().removeOfGrant('RefreshToken', grantId)
      const found = await Promise.all(tokens.map(({ id }) => states().find('RefreshToken', id)))
      expect(found.map((one) => one !== undefined)).toEqual([false, false, true])
      expect(await states().find('DeviceCode', code.id)).toBeDefined()
    })

    test('stay after their expiry until they are deleted; states without one stay', async () => {
      const nowMs = Date.now()
      const [gone, later, endless] = [
        newState({ expiresAtMs: nowMs - 1 }),
        newState({ expiresAtMs: nowMs + 1 }),
        newState({ expiresAtMs: null }),
      ]
      for (const state of [gone, later, endless]) await states().write(state)
      expect(await states().find('Session', gone.id)).toBeDefined()
      await states().removeExpired(nowMs)
      const found = await Promise.all([gone, later, endless].map(({ id }) => states().find('Session', id)))
      expect(found.map((one) => one !== undefined)).toEqual([false, true, true])
    })

    test('are deleted by the thousands', async () => {
      const ids = Array.from({ length: 1_200 }, () => uniqueText())
      await Promise.all(
        ids.map((id) => states().write(newState({ kind: 'Interaction', id, expiresAtMs: 5 }))),
      )
      await states().removeExpired(6)
      expect(await states().find('Interaction', ids.at(-1)!)).toBeUndefined()
      expect(await states().find('Interaction', ids[0]!)).toBeUndefined()
    })
  })

  describe('secrets', () => {
    test('are added once per number, and listed newest first', async () => {
      const { secrets } = opened().storage.identity
      const secret = (number: number) => ({
        purpose: 'signing' as const,
        number,
        secret: uniqueText(),
        createdAtMs: number,
      })
      const added = await Promise.all([1, 1, 1, 2].map((number) => secrets.add(secret(number))))
      expect(added.filter(Boolean)).toHaveLength(2)
      expect((await secrets.list()).map(({ number }) => number)).toEqual([2, 1])
    })
  })
})
