import { anthropicMessagesCaller } from './anthropic-messages/caller.ts'
import { anthropicMessages } from './anthropic-messages/vendor.ts'
import { bedrockCohereEmbed } from './bedrock-cohere-embed/vendor.ts'
import { bedrockConverse } from './bedrock-converse/vendor.ts'
import { bedrockMessages } from './bedrock-messages/vendor.ts'
import { bedrockTitan } from './bedrock-titan/vendor.ts'
import type { CallerFormat, GenerateCaller } from './caller.ts'
import { cohereChat } from './cohere-chat/vendor.ts'
import { cohereEmbed } from './cohere-embed/vendor.ts'
import { cohereRerankCaller } from './cohere-rerank/caller.ts'
import { cohereRerank } from './cohere-rerank/vendor.ts'
import { deepseekChat } from './deepseek-chat/vendor.ts'
import { googleEmbed } from './google-embed/vendor.ts'
import { googleGenerateCaller } from './google-generate/caller.ts'
import { googleGenerate } from './google-generate/vendor.ts'
import { jinaRerank } from './jina-rerank/vendor.ts'
import { mistralEmbeddings } from './mistral-embeddings/vendor.ts'
import { mistralModerations } from './mistral-moderations/vendor.ts'
import { mistralFim } from './mistral-fim/vendor.ts'
import { mistralChat } from './mistral-chat/vendor.ts'
import { openaiChatCaller } from './openai-chat/caller.ts'
import { openaiChat } from './openai-chat/vendor.ts'
import { openaiCompletionsCaller } from './openai-completions/caller.ts'
import { openaiCompletions } from './openai-completions/vendor.ts'
import { openaiEmbeddingsCaller } from './openai-embeddings/caller.ts'
import { openaiEmbeddings } from './openai-embeddings/vendor.ts'
import { openaiModerationsCaller } from './openai-moderations/caller.ts'
import { openaiModerations } from './openai-moderations/vendor.ts'
import { openaiResponsesCaller } from './openai-responses/caller.ts'
import { openaiResponses } from './openai-responses/vendor.ts'
import type {
  EmbedFormat,
  EmbedFormatName,
  FormatName,
  GenerateFormat,
  GenerateFormatName,
  ModerateFormat,
  ModerateFormatName,
  RerankFormat,
  RerankFormatName,
  VendorFormat,
} from './vendor.ts'
import { vertexMessages } from './vertex-messages/vendor.ts'
import { vertexMistral } from './vertex-mistral/vendor.ts'
import { voyageEmbeddings } from './voyage-embeddings/vendor.ts'
import { voyageRerank } from './voyage-rerank/vendor.ts'

/** Vendor formats for requests for a model's answer. */
export const generateFormats: Readonly<Record<GenerateFormatName, GenerateFormat>> = {
  'openai-chat': openaiChat,
  'openai-completions': openaiCompletions,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  'google-generate': googleGenerate,
  'mistral-chat': mistralChat,
  'mistral-fim': mistralFim,
  'deepseek-chat': deepseekChat,
  'bedrock-converse': bedrockConverse,
  'bedrock-messages': bedrockMessages,
  'vertex-messages': vertexMessages,
  'vertex-mistral': vertexMistral,
  'cohere-chat': cohereChat,
}

/** Vendor formats for embeddings. */
export const embedFormats: Readonly<Record<EmbedFormatName, EmbedFormat>> = {
  'openai-embeddings': openaiEmbeddings,
  'google-embed': googleEmbed,
  'cohere-embed': cohereEmbed,
  'voyage-embeddings': voyageEmbeddings,
  'mistral-embeddings': mistralEmbeddings,
  'bedrock-titan': bedrockTitan,
  'bedrock-cohere-embed': bedrockCohereEmbed,
}

/** Vendor formats for reranking. */
export const rerankFormats: Readonly<Record<RerankFormatName, RerankFormat>> = {
  'cohere-rerank': cohereRerank,
  'jina-rerank': jinaRerank,
  'voyage-rerank': voyageRerank,
}

/** Vendor formats for moderations. */
export const moderateFormats: Readonly<Record<ModerateFormatName, ModerateFormat>> = {
  'openai-moderations': openaiModerations,
  'mistral-moderations': mistralModerations,
}

/** Every format that the gateway can send to a vendor. */
export const vendorFormats: Readonly<Record<FormatName, VendorFormat>> = {
  ...generateFormats,
  ...embedFormats,
  ...rerankFormats,
  ...moderateFormats,
}

/** Caller formats for requests for a model's answer. */
export const generateCallers: readonly GenerateCaller[] = [
  openaiChatCaller,
  anthropicMessagesCaller,
  googleGenerateCaller,
  openaiResponsesCaller,
  openaiCompletionsCaller,
]

/** Every format that callers may use. */
export const callerFormats: readonly CallerFormat[] = [
  ...generateCallers,
  openaiEmbeddingsCaller,
  cohereRerankCaller,
  openaiModerationsCaller,
]
