import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/** In characters as people count them. The upper bound limits the work of hashing. */
export const passwordLength = { min: 10, max: 200 }

/** Parameters of scrypt (RFC 7914). */
export interface PasswordCost {
  N: number
  r: number
  p: number
}

/** 32 MiB and about 0.2 s each (OWASP Password Storage Cheat Sheet, scrypt with N = 2^15). */
export const defaultCost: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
const saltBytes = 16
const hashBytes = 32
/** Passwords hashed at a time. Each takes memory, and a thread that file access needs too. */
const maxAtOnce = 2
const maxWaiting = 50

/** Thrown if more passwords are waiting to be checked than the machine can handle. */
export class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords'
}

export function isPasswordOfFairLength(password: string): boolean {
  const { length } = Array.from(password)
  return length >= passwordLength.min && length <= passwordLength.max
}

/** `scrypt$N=32768,r=8,p=3$<salt>$<hash>`: contains the cost, so that it can be raised later. */
export async function hashPassword(password: string, cost: PasswordCost = defaultCost): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost)
  return ['scrypt', costText(cost), salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * Whether the password matches the hash. Without a hash, or with that of a deleted user (''), the result is
 * false and takes just as long, so that timing does not reveal which users exist.
 */
export async function isPassword(
  password: string,
  stored: string | undefined,
  costOfNobody: PasswordCost = defaultCost,
): Promise<boolean> {
  const isSomebody = stored !== undefined && stored !== ''
  const { cost, salt, hash } = isSomebody ? parseHash(stored) : nobody(costOfNobody)
  const derived = await derive(password, salt, cost)
  return timingSafeEqual(derived, hash) && isSomebody
}

/** Whether a hash was made at a cost other than the current one. */
export function isOutdated(stored: string, cost: PasswordCost = defaultCost): boolean {
  return !stored.startsWith(`scrypt$${costText(cost)}$`)
}

function nobody(cost: PasswordCost): ReturnType<typeof parseHash> {
  return { cost, salt: Buffer.alloc(saltBytes), hash: Buffer.alloc(hashBytes) }
}

function costText({ N, r, p }: PasswordCost): string {
  return `N=${N},r=${r},p=${p}`
}

function parseHash(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const match = /^scrypt\$N=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored)
  if (match === null) throw new Error('a stored password hash is not one of ours')
  const [N, r, p] = match.slice(1, 4).map(Number) as [number, number, number]
  return {
    cost: { N, r, p },
    salt: Buffer.from(match[4]!, 'base64url'),
    hash: Buffer.from(match[5]!, 'base64url'),
  }
}

let running = 0
const waiting: (() => void)[] = []

async function derive(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  if (running < maxAtOnce) running++
  else if (waiting.length >= maxWaiting) throw new TooManyPasswords('too many passwords are being checked')
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await scryptOf(password, salt, cost)
  } finally {
    const next = waiting.shift()
    // The slot goes to the longest-waiting caller.
    if (next === undefined) running--
    else next()
  }
}

function scryptOf(password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> {
  // Node rejects more than 32 MiB by default; scrypt takes 128 * N * r bytes and a little more.
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
  // The same letters can be typed as different characters (NIST SP 800-63B, section 5.1.1.2).
  const normal = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(normal, salt, hashBytes, options, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    )
  })
}
