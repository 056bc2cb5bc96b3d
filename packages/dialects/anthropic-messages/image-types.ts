/** https://platform.claude.com/docs/en/build-with-claude/vision */
const imageTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

export function isImageType(mediaType: string): boolean {
  return imageTypes.has(mediaType)
}
