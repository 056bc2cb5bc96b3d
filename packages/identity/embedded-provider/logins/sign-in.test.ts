import { describe, expect, test } from 'vitest'
import { hashPassword } from './password.ts'
import { SignIn, type RegistrationRules, type SignUpInput } from './sign-in.ts'
import type { ProviderUser, ProviderUserStore } from '../stores.ts'

const open: RegistrationRules = {
  registration: 'open',
  allowedEmailDomains: [],
  isOperatorAddress: () => false,
}
const input: SignUpInput = {
  email: 'ada@example.com',
  name: 'Ada',
  password: 'correct horse',
  inviteCode: '',
}
const minuteMs = 60_000
const cheap = { N: 1024, r: 8, p: 1 }

describe('signing in', () => {
  test('requires email and password, and accepts the email in any spelling', async () => {
    const { signIn } = newSignIn()
    expect(await signIn.signUp(input, 'a')).toMatchObject({ user: { email: 'ada@example.com', name: 'Ada' } })
    expect(await signIn.signIn(' Ada@Example.COM ', 'correct horse', 'a')).toMatchObject({
      user: { email: 'ada@example.com' },
    })
    expect(await signIn.signIn('ada@example.com', 'correct Horse', 'a')).toEqual({ problem: 'wrong' })
    expect(await signIn.signIn('eve@example.com', 'correct horse', 'a')).toEqual({ problem: 'wrong' })
    expect(await signIn.signIn('ada@example.com', 'x'.repeat(1_000_000), 'a')).toEqual({ problem: 'wrong' })
  })

  test('to one account may be tried 10 times in 15 minutes, whether the account exists or not', async () => {
    const { signIn, clock, users } = newSignIn()
    users.push({ ...user, passwordHash: await hashPassword('correct horse', cheap) })
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      for (let count = 0; count < 10; count++)
        expect(await signIn.signIn(email, '', `address ${count}`)).toEqual({ problem: 'wrong' })
      expect(await signIn.signIn(email, 'correct horse', 'elsewhere')).toEqual({ waitSeconds: 900 })
    }
    clock.nowMs += 15 * minuteMs
    expect(await signIn.signIn('ada@example.com', 'correct horse', 'elsewhere')).toHaveProperty('user')
  })

  test('from one address, or its /64, may be tried 30 times; successful attempts do not count', async () => {
    const { signIn, users } = newSignIn()
    users.push({ ...user, passwordHash: await hashPassword('correct horse', cheap) })
    await signIn.signIn('ada@example.com', 'correct horse', '2001:db8::1')
    for (let count = 0; count < 30; count++)
      await signIn.signIn(`${count}@example.com`, '', `2001:db8::${count}`)
    expect(await signIn.signIn('ada@example.com', 'correct horse', '2001:db8::99')).toHaveProperty(
      'waitSeconds',
    )
    expect(await signIn.signIn('ada@example.com', 'correct horse', '2001:db8:0:1::1')).toHaveProperty('user')
  })

  test('rehashes a password that was hashed at a lower cost', async () => {
    const { signIn, users } = newSignIn()
    users.push({ ...user, passwordHash: await hashPassword('correct horse', { ...cheap, N: 512 }) })
    await signIn.signIn('ada@example.com', 'correct horse', 'a')
    expect(users[0]!.passwordHash).toMatch(/^scrypt\$N=1024,/)
    expect(await signIn.signIn('ada@example.com', 'correct horse', 'a')).toHaveProperty('user')
  })
})

describe('registering', () => {
  test.each<[string, Partial<SignUpInput>, Partial<RegistrationRules>, object]>([
    ['no email', { email: 'ada' }, {}, { email: expect.stringContaining('email address') }],
    ['an email of 300 characters', { email: `${'a'.repeat(300)}@b.c` }, {}, { email: expect.any(String) }],
    ['a short password', { password: '123456789' }, {}, { password: expect.stringContaining('10 to 200') }],
    ['a long password', { password: 'x'.repeat(201) }, {}, { password: expect.any(String) }],
    ['no invitation', {}, { registration: 'invite' }, { invite_code: expect.stringContaining('Enter') }],
    [
      'an unknown invitation',
      { inviteCode: 'k7wq-3mzd-p9ra-v2hc' },
      { registration: 'invite' },
      { invite_code: expect.stringContaining('does not exist') },
    ],
    [
      'an address at another domain',
      {},
      { allowedEmailDomains: ['corp.example'] },
      { email: 'Only addresses at corp.example can register.' },
    ],
    [
      'a domain that ends alike',
      { email: 'ada@evilcorp.example' },
      { allowedEmailDomains: ['corp.example'] },
      { email: expect.any(String) },
    ],
    [
      'an address with two @',
      { email: 'a@corp.example@evil.example' },
      { allowedEmailDomains: ['corp.example'] },
      { email: expect.stringContaining('email address') },
    ],
  ])('with %s is refused', async (_, fields, rules, problems) => {
    const { signIn } = newSignIn({ ...open, ...rules })
    expect(await signIn.signUp({ ...input, ...fields }, 'a')).toEqual({ problems })
  })

  test('accepts an email only once, in whichever spelling', async () => {
    const { signIn } = newSignIn({ ...open, allowedEmailDomains: ['example.com'] })
    expect(await signIn.signUp({ ...input, name: ' ' }, 'a')).toMatchObject({ user: { name: null } })
    expect(await signIn.signUp({ ...input, email: 'ADA@example.com' }, 'a')).toMatchObject({
      problems: { email: expect.stringContaining('Sign in instead') },
    })
  })
})

const user: ProviderUser = {
  id: 'usr_ada',
  email: 'ada@example.com',
  emailVerified: false,
  name: null,
  passwordHash: '',
  loginGeneration: 0,
}

function newSignIn(rules: RegistrationRules = open) {
  const users: ProviderUser[] = []
  const clock = { nowMs: 0 }
  const store: ProviderUserStore = {
    find: async (id) => users.find((one) => one.id === id),
    findByEmail: async (email) => users.find((one) => one.email === email),
    async create(made, invitation) {
      if (invitation !== undefined) return { refused: 'invite-unknown' }
      if (users.some(({ email }) => email === made.email)) return { refused: 'email-taken' }
      users.push({ ...made, emailVerified: false, loginGeneration: 0 })
      return { user: users.at(-1)! }
    },
    changePassword: async () => false,
    changeEmail: async () => false,
    async replacePasswordHash(id, from, to) {
      const found = users.find((one) => one.id === id && one.passwordHash === from)
      if (found !== undefined) found.passwordHash = to
    },
  }
  return { signIn: new SignIn(store, rules, () => clock.nowMs, cheap), users, clock }
}
