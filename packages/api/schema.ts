/* Written from /openapi.json by schema.test.ts: npx vitest run packages/api -u */

export interface components {
  schemas: {
    Account: {
      id: string
      kind: 'person' | 'organization'
      display_name: string | null
      email: string | null
      email_verified: boolean
      oidc_sub: string | null
      balance_usd: string
      unassigned_usd: string
      status: 'active' | 'suspended' | 'closed'
      tier: string
      baseline_model: string | null
      log_prompts: boolean
      log_days: number | null
      keys_may_top_up: boolean
      operator: boolean
      playground_key_id: string | null
      created_at: number
    }
    AccountClosing: {
      object: 'account_closing'
      account_id: string
      confirm: string
      credit_usd: string
      active_keys: number
      sessions: number
      open_topups: number
      organizations: { id: string; name: string }[]
      only_owner_of: { id: string; name: string }[]
      erased: string[]
      kept: string[]
    }
    AlertRule: {
      object: 'alert_rule'
      kind: 'balance' | 'runway' | 'unusual_spend' | 'key_expiry'
      enabled: boolean
      threshold_usd: string | null
      days: number | null
      raised: boolean
    }
    AnthropicModel: {
      type: 'model'
      id: string
      display_name: string
      created_at: string
      max_input_tokens: number
      max_tokens: number
    }
    AuditEntry: {
      object: 'audit_entry'
      request_id: string
      created_at: number
      actor: 'operator' | 'user'
      subject: string | null
      by: components['schemas']['AuditPerson'] | null
      action: string
      account_id: string | null
      account: components['schemas']['AuditPerson'] | null
      on_behalf_of: string | null
      target: string | null
      status: number
      details: Record<string, unknown> | null
      address: string
    }
    AuditPerson: {
      account_id: string
      display_name: string | null
      email: string | null
      email_verified: boolean
    }
    AutoTopup: {
      object: 'auto_topup'
      enabled: boolean
      threshold_usd: string | null
      amount_usd: string | null
      monthly_cap_usd: string | null
      payment_method_id: string | null
      state: 'idle' | 'charging' | 'needs_action' | 'waiting' | 'stopped'
      failure: string | null
      attempts_failed: number
      next_attempt_at: number | null
      charged_this_month_usd: string
      is_capped: boolean
      action_url: string | null
      session_id: string | null
    }
    BillingAddress: {
      name: string
      line1: string
      line2: string | null
      postal_code: string | null
      city: string
      region: string | null
      country: string
      vat_id: string | null
    }
    BillingDetails: {
      object: 'billing_details'
      address: components['schemas']['BillingAddress'] | null
      updated_at: number | null
      countries: string[]
    }
    Budget: {
      id: string
      object: 'budget'
      name: string
      scope: 'organization' | 'project' | 'member' | 'key' | 'tag' | 'model'
      subject: string | null
      period: 'day' | 'week' | 'month' | 'total'
      limit_usd: string
      hard: boolean
      notify: number[]
      spent_usd: string
      reserved_usd: string
      left_usd: string
      resets_at: number | null
      created_at: number
      updated_at: number
    }
    BudgetReport: {
      object: 'budget_report'
      budget: components['schemas']['Budget']
      from: number
      to: number
      days: { day: string; cost_usd: string; requests: number }[]
      cost_usd: string
      ledger_usage_usd: string
      forecast_usd: string | null
    }
    ChatCompletion: {
      id: string
      object: 'chat.completion'
      created: number
      model: string
      choices: {
        index: number
        message: {
          role: 'assistant'
          content: string | null
          refusal: string | null
          tool_calls?: components['schemas']['ToolCall'][]
          reasoning_content?: string | null
          reasoning_details?: { type: string }[]
        }
        finish_reason: string | null
        logprobs?: Record<string, unknown> | null
      }[]
      usage: components['schemas']['Usage']
    }
    ChatCompletionChunk: {
      id: string
      object: 'chat.completion.chunk'
      created: number
      model: string
      choices: {
        index: number
        delta: {
          role?: 'assistant'
          content?: string | null
          refusal?: string | null
          tool_calls?: { index: number }[]
          reasoning_content?: string | null
          reasoning_details?: { type: string }[]
        }
        finish_reason: string | null
        logprobs?: Record<string, unknown> | null
      }[]
      usage?: components['schemas']['Usage'] | null
      error?: { message: string; type: string; code: number }
    }
    ChatCompletionRequest: {
      model: string
      models?: string[] | null
      messages: {
        role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function'
        content?: string | {
          type: string
          cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' | null } | null
        }[] | null
        name?: string | null
        refusal?: string | null
        reasoning_content?: string | null
        reasoning?: string | null
        reasoning_details?: {
          type: string
          text?: string | null
          summary?: string | null
          data?: string | null
          signature?: string | null
          format?: string | null
          id?: string | null
          index?: number | null
        }[] | null
        tool_calls?: {
          id?: string
          type?: string
          function?: { name: string; arguments?: string }
        }[] | null
        tool_call_id?: string | null
        is_error?: boolean | null
      }[]
      metadata?: { tags?: string[] | null; retry_of?: string | null } | null
      stream?: boolean | null
      stream_options?: { include_usage?: boolean | null } | null
      n?: number | null
      temperature?: number | null
      top_p?: number | null
      frequency_penalty?: number | null
      presence_penalty?: number | null
      stop?: string | string[] | null
      seed?: number | null
      logit_bias?: Record<string, unknown> | null
      user?: string | null
      response_format?: {
        type: string
        json_schema?: { name: string; schema?: Record<string, unknown> | null } | null
      } | null
      usage?: { include?: boolean | null } | null
      provider?: { require_parameters?: boolean | null } | null
      reasoning_effort?: string | null
      reasoning?: {
        effort?: string | null
        max_tokens?: number | null
        exclude?: boolean | null
        enabled?: boolean | null
      } | null
      max_tokens?: number | null
      max_completion_tokens?: number | null
      logprobs?: boolean | null
      top_logprobs?: number | null
      tools?: {
        type: string
        function?: {
          name: string
          description?: string | null
          parameters?: Record<string, unknown> | null
          strict?: boolean | null
        }
        cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' | null } | null
      }[] | null
      tool_choice?: string | { type: string } | null
      parallel_tool_calls?: boolean | null
    }
    Compaction: {
      id: string
      object: 'response.compaction'
      created_at: number
      output: { type: string }[]
      usage: {
        input_tokens: number
        output_tokens: number
        total_tokens: number
      } | null
    }
    Completion: {
      id: string
      object: 'text_completion'
      created: number
      model: string
      choices: {
        text: string
        index: number
        logprobs?: Record<string, unknown> | null
        finish_reason: string | null
      }[]
      usage?: components['schemas']['Usage'] | null
      error?: { message: string; type: string; code: number }
    }
    CompletionRequest: {
      model: string
      models?: string[] | null
      prompt: string | string[] | number[] | number[][]
      suffix?: string | null
      metadata?: { tags?: string[] | null; retry_of?: string | null } | null
      stream?: boolean | null
      stream_options?: { include_usage?: boolean | null } | null
      n?: number | null
      temperature?: number | null
      top_p?: number | null
      frequency_penalty?: number | null
      presence_penalty?: number | null
      stop?: string | string[] | null
      seed?: number | null
      logit_bias?: Record<string, unknown> | null
      user?: string | null
      response_format?: {
        type: string
        json_schema?: { name: string; schema?: Record<string, unknown> | null } | null
      } | null
      usage?: { include?: boolean | null } | null
      provider?: { require_parameters?: boolean | null } | null
      reasoning_effort?: string | null
      reasoning?: {
        effort?: string | null
        max_tokens?: number | null
        exclude?: boolean | null
        enabled?: boolean | null
      } | null
      max_tokens?: number | null
      logprobs?: number | null
      echo?: boolean | null
      best_of?: number | null
    }
    ConnectedApp: {
      id: string
      object: 'connected_app'
      name: string
      host: string | null
      scopes: string[]
      organization_id: string | null
      organization_name: string | null
      created_at: number
      last_renewed_at: number
    }
    CountTokensRequest: {
      model: string
      models?: string[] | null
      messages: {
        role: 'user' | 'assistant' | 'system'
        content: string | {
          type: string
          cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' | null } | null
        }[]
      }[]
      system?: string | {
        type: 'text'
        text: string
        cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' | null } | null
      }[] | null
      stream?: boolean | null
      metadata?: {
        user_id?: string | null
        tags?: string[] | null
        retry_of?: string | null
      } | null
      temperature?: number | null
      top_p?: number | null
      top_k?: number | null
      stop_sequences?: string[] | null
      tools?: {
        type?: string | null
        name?: string | null
        description?: string | null
        input_schema?: Record<string, unknown> | null
        strict?: boolean | null
        cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' | null } | null
      }[] | null
      tool_choice?: {
        type: 'auto' | 'any' | 'tool' | 'none'
        name?: string | null
        disable_parallel_tool_use?: boolean | null
      } | null
      thinking?: {
        type: string
        budget_tokens?: number | null
        display?: string | null
      } | null
      output_config?: {
        effort?: string | null
        format?: { type: 'json_schema'; schema: Record<string, unknown> } | null
      } | null
      output_format?: { type: 'json_schema'; schema: Record<string, unknown> } | null
    }
    CreatedEventTarget: {
      id: string
      object: 'event_target'
      kind: 'webhook' | 'mail'
      name: string
      url: string | null
      email: string | null
      roles: ('owner' | 'admin' | 'billing')[] | null
      people: number | null
      people_unreached: number | null
      types: string[]
      status: 'active' | 'unconfirmed' | 'disabled'
      disabled_reason: string | null
      failures_in_row: number
      previous_secret_until: number | null
      created_at: number
      updated_at: number
      secret: string | null
    }
    CreatedKey: {
      id: string
      object: 'key'
      name: string
      key_prefix: string
      status: 'active' | 'revoked'
      balance_usd: string
      created_at: number
      last_used_at: number | null
      revoked_at: number | null
      expires_at: number | null
      allowed_models: string[] | null
      spend_limit_usd: string | null
      spend_limit_period: 'day' | 'week' | 'month' | 'total' | null
      spent_usd: string | null
      spend_limit_resets_at: number | null
      draws_on: string | null
      replaced_by: string | null
      log_prompts: boolean | null
      may_top_up: boolean | null
      member_id: string | null
      project_id: string | null
      handed_over: boolean
      unsupported_fields: 'refuse' | 'drop' | null
      raw: string
    }
    CreatedOrganizationInvitation: {
      id: string
      object: 'organization_invitation'
      role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'
      email: string | null
      status: 'open' | 'used' | 'revoked' | 'expired'
      created_by: string | null
      created_at: number
      expires_at: number
      used_by: string | null
      used_at: number | null
      url: string
      mailed: boolean
    }
    DeletedResponse: { id: string; object: 'response'; deleted: true }
    Delivery: {
      id: string
      object: 'delivery'
      event_id: string
      event_type: string
      target_id: string
      member_id: string | null
      status: 'pending' | 'delivered' | 'failed' | 'cancelled'
      attempts: number
      next_attempt_at: number | null
      delivered_at: number | null
      created_at: number
    }
    DeliveryWithLog: {
      id: string
      object: 'delivery'
      event_id: string
      event_type: string
      target_id: string
      member_id: string | null
      status: 'pending' | 'delivered' | 'failed' | 'cancelled'
      attempts: number
      next_attempt_at: number | null
      delivered_at: number | null
      created_at: number
      log: {
        number: number
        at: number
        status: number | null
        duration_ms: number
        error: string | null
        answer: string | null
      }[]
    }
    DeviceSignIn: {
      object: 'device_sign_in'
      user_code: string
      status: 'pending' | 'approved' | 'denied'
      client: 'claude_code' | 'other'
      client_name: string
      address: string
      created_at: number
      expires_at: number
      key: components['schemas']['Key'] | null
    }
    Embeddings: {
      object: 'list'
      data: {
        object: 'embedding'
        index: number
        embedding: number[] | string
      }[]
      model: string
      usage?: {
        prompt_tokens: number
        total_tokens: number
        cost_usd: string
        cost: number
      }
    }
    EmbeddingsRequest: {
      model: string
      models?: string[] | null
      input: string | string[] | number[] | number[][]
      dimensions?: number | null
      encoding_format?: 'float' | 'base64' | null
      input_type?: string | null
      user?: string | null
      stream?: false | null
      metadata?: { tags?: string[] | null; retry_of?: string | null } | null
    }
    Error: {
      error: {
        message: string
        type: 'invalid_request_error' | 'authentication_error' | 'insufficient_quota' | 'permission_error' | 'not_found_error' | 'conflict_error' | 'request_too_large' | 'rate_limit_error' | 'api_error' | 'upstream_error' | 'service_unavailable' | 'upstream_timeout'
        code: number
        param: string | null
        request_id: string
        metadata?: Record<string, unknown>
      }
    }
    Event: {
      id: string
      object: 'event'
      type: string
      account_id: string | null
      created_at: number
      data: Record<string, unknown>
    }
    EventTarget: {
      id: string
      object: 'event_target'
      kind: 'webhook' | 'mail'
      name: string
      url: string | null
      email: string | null
      roles: ('owner' | 'admin' | 'billing')[] | null
      people: number | null
      people_unreached: number | null
      types: string[]
      status: 'active' | 'unconfirmed' | 'disabled'
      disabled_reason: string | null
      failures_in_row: number
      previous_secret_until: number | null
      created_at: number
      updated_at: number
    }
    GenerateContentRequest: {
      contents: {
        role?: string | null
        parts?: (Record<string, unknown>)[] | Record<string, unknown>
      }[] | {
        role?: string | null
        parts?: (Record<string, unknown>)[] | Record<string, unknown>
      }
      systemInstruction?: string | {
        role?: string | null
        parts?: (Record<string, unknown>)[] | Record<string, unknown>
      } | null
      tools?: {
        functionDeclarations?: {
          name: string
          description?: string | null
          behavior?: string | null
          parameters?: Record<string, unknown> | null
          parametersJsonSchema?: Record<string, unknown> | null
          response?: Record<string, unknown> | null
          responseJsonSchema?: Record<string, unknown> | null
        }[] | null
        googleSearch?: Record<string, unknown> | null
        googleSearchRetrieval?: Record<string, unknown> | null
        urlContext?: Record<string, unknown> | null
        codeExecution?: Record<string, unknown> | null
        fileSearch?: Record<string, unknown> | null
        computerUse?: Record<string, unknown> | null
        googleMaps?: Record<string, unknown> | null
        enterpriseWebSearch?: Record<string, unknown> | null
      }[] | {
        functionDeclarations?: {
          name: string
          description?: string | null
          behavior?: string | null
          parameters?: Record<string, unknown> | null
          parametersJsonSchema?: Record<string, unknown> | null
          response?: Record<string, unknown> | null
          responseJsonSchema?: Record<string, unknown> | null
        }[] | null
        googleSearch?: Record<string, unknown> | null
        googleSearchRetrieval?: Record<string, unknown> | null
        urlContext?: Record<string, unknown> | null
        codeExecution?: Record<string, unknown> | null
        fileSearch?: Record<string, unknown> | null
        computerUse?: Record<string, unknown> | null
        googleMaps?: Record<string, unknown> | null
        enterpriseWebSearch?: Record<string, unknown> | null
      } | null
      toolConfig?: {
        functionCallingConfig?: {
          mode?: string | null
          allowedFunctionNames?: string[] | null
        } | null
        retrievalConfig?: Record<string, unknown> | null
        includeServerSideToolInvocations?: boolean | null
      } | null
      generationConfig?: {
        stopSequences?: string[] | null
        responseMimeType?: string | null
        responseSchema?: Record<string, unknown> | null
        responseJsonSchema?: Record<string, unknown> | null
        responseModalities?: string[] | null
        candidateCount?: number | null
        maxOutputTokens?: number | null
        temperature?: number | null
        topP?: number | null
        topK?: number | null
        seed?: number | null
        presencePenalty?: number | null
        frequencyPenalty?: number | null
        responseLogprobs?: boolean | null
        logprobs?: number | null
        thinkingConfig?: {
          includeThoughts?: boolean | null
          thinkingBudget?: number | null
          thinkingLevel?: string | null
        } | null
      } | null
      safetySettings?: (Record<string, unknown>)[] | null
      cachedContent?: string | null
      serviceTier?: 'unspecified' | 'standard' | 'flex' | 'priority' | null
    }
    GenerateContentResponse: {
      candidates?: (Record<string, unknown>)[]
      modelVersion: string
      responseId: string
      usageMetadata?: { promptTokenCount: number; totalTokenCount: number }
    }
    GoogleModel: {
      name: string
      version: string
      displayName: string
      inputTokenLimit: number
      outputTokenLimit: number
      supportedGenerationMethods: string[]
    }
    GoogleModelList: {
      models: components['schemas']['GoogleModel'][]
      nextPageToken?: string
    }
    HealthFigures: {
      requests: number
      completed: number
      error_rate: number | null
      errors: { type: string; requests: number }[]
      time_to_first_token_ms: { p50: number | null; p95: number | null }
      latency_ms: { p50: number | null; p95: number | null }
      tokens_per_second: number | null
      tokens_in: number
      cache_read_tokens: number
      cache_write_tokens: number
      cache_saved_usd: string
    }
    InputTokenCount: { object: 'response.input_tokens'; input_tokens: number }
    Invite: {
      id: string
      object: 'invite'
      email: string | null
      created_at: number
      expires_at: number
      used_at: number | null
    }
    Key: {
      id: string
      object: 'key'
      name: string
      key_prefix: string
      status: 'active' | 'revoked'
      balance_usd: string
      created_at: number
      last_used_at: number | null
      revoked_at: number | null
      expires_at: number | null
      allowed_models: string[] | null
      spend_limit_usd: string | null
      spend_limit_period: 'day' | 'week' | 'month' | 'total' | null
      spent_usd: string | null
      spend_limit_resets_at: number | null
      draws_on: string | null
      replaced_by: string | null
      log_prompts: boolean | null
      may_top_up: boolean | null
      member_id: string | null
      project_id: string | null
      handed_over: boolean
      unsupported_fields: 'refuse' | 'drop' | null
    }
    LedgerDifference: {
      subject: string
      expected: string
      found: string
      meaning: string
      remedy: string
    }
    LedgerEntry: {
      id: string
      object: 'ledger_entry'
      kind: 'topup' | 'grant' | 'usage' | 'transfer' | 'sweep' | 'refund' | 'adjustment'
      amount_usd: string
      change_usd: string
      debit_account: string
      credit_account: string
      reference: string
      request_id: string | null
      topup_id: string | null
      reason: string | null
      corrects: string | null
      created_at: number
    }
    LedgerVerification: {
      id: string
      object: 'ledger_verification'
      state: 'running' | 'finished' | 'stopped' | 'failed'
      ok: boolean | null
      started_at: number
      finished_at: number | null
      checked: number
      differences: components['schemas']['LedgerDifference'][]
    }
    LoggedMessage: {
      role: string
      parts: {
        type: 'text' | 'reasoning' | 'refusal' | 'tool_call' | 'tool_result' | 'media' | 'other'
        text: string
        name?: string
        call_id?: string
        media_type?: string
        bytes?: number
      }[]
    }
    Login: {
      object: 'login'
      provider: 'embedded' | 'elsewhere'
      email: string | null
      email_verified: boolean
      pending_email: string | null
      sends_mail: boolean
      may_change: ('display_name' | 'password' | 'email')[]
    }
    Me: {
      id: string
      kind: 'person' | 'organization'
      display_name: string | null
      email: string | null
      email_verified: boolean
      oidc_sub: string | null
      balance_usd: string
      unassigned_usd: string
      status: 'active' | 'suspended' | 'closed'
      tier: string
      baseline_model: string | null
      log_prompts: boolean
      log_days: number | null
      keys_may_top_up: boolean
      operator: boolean
      playground_key_id: string | null
      created_at: number
      role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'
      member_id: string | null
      permissions: ('member' | 'usage:read' | 'keys:read' | 'keys:write' | 'keys:hand-over' | 'credit:move' | 'logs' | 'playground:use' | 'billing:read' | 'billing:write' | 'budgets:write' | 'vendor-keys' | 'members:write' | 'alerts:write' | 'settings' | 'owner')[]
    }
    MeasuredProvider: {
      scope: 'all' | 'account'
      requests: number | null
      uptime: number | null
      uptime_by_day: { day: string; uptime: number | null }[]
      time_to_first_token_ms: { p50: number | null; p95: number | null }
      latency_ms: { p50: number | null; p95: number | null }
      tokens_per_second: number | null
    }
    Member: {
      id: string
      object: 'member'
      kind: 'person' | 'service'
      account_id: string | null
      name: string | null
      email: string | null
      email_verified: boolean
      role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'
      status: 'active' | 'leaving' | 'removed'
      source: 'founder' | 'invitation' | 'claims' | 'operator' | 'admin'
      created_at: number
      removed_at: number | null
    }
    Message: {
      id: string
      type: 'message'
      role: 'assistant'
      model: string
      content: { type: string }[]
      stop_reason: string | null
      stop_sequence: string | null
      usage: { input_tokens: number; output_tokens: number }
    }
    MessagesRequest: {
      model: string
      models?: string[] | null
      messages: {
        role: 'user' | 'assistant' | 'system'
        content: string | {
          type: string
          cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' | null } | null
        }[]
      }[]
      max_tokens: number
      system?: string | {
        type: 'text'
        text: string
        cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' | null } | null
      }[] | null
      stream?: boolean | null
      metadata?: {
        user_id?: string | null
        tags?: string[] | null
        retry_of?: string | null
      } | null
      temperature?: number | null
      top_p?: number | null
      top_k?: number | null
      stop_sequences?: string[] | null
      tools?: {
        type?: string | null
        name?: string | null
        description?: string | null
        input_schema?: Record<string, unknown> | null
        strict?: boolean | null
        cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' | null } | null
      }[] | null
      tool_choice?: {
        type: 'auto' | 'any' | 'tool' | 'none'
        name?: string | null
        disable_parallel_tool_use?: boolean | null
      } | null
      thinking?: {
        type: string
        budget_tokens?: number | null
        display?: string | null
      } | null
      output_config?: {
        effort?: string | null
        format?: { type: 'json_schema'; schema: Record<string, unknown> } | null
      } | null
      output_format?: { type: 'json_schema'; schema: Record<string, unknown> } | null
    }
    Model: {
      id: string
      object: 'model'
      created: number
      owned_by: string
      name: string
      context_length: number
      max_output_tokens: number
      pricing: components['schemas']['Pricing']
      limits: {
        requests_per_minute: number | null
        input_tokens_per_minute: number | null
        output_tokens_per_minute: number | null
      }
      operations: ('generate' | 'embed' | 'rerank' | 'moderate')[]
      modalities: { input: string[]; output: string[] }
      dimensions: number | null
      supported_parameters: string[]
      tiers: string[]
    }
    ModelProvider: {
      provider: string
      pricing: components['schemas']['Pricing']
      native_endpoints: ('chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations')[]
      state: 'working' | 'resting' | null
      measured: components['schemas']['MeasuredProvider'] | null
    }
    ModelProviders: {
      object: 'model_providers'
      model: string
      endpoints: ('chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations')[]
      measured_days: number
      providers: components['schemas']['ModelProvider'][]
      fallbacks: string[]
      choices: { model: string; tiers: string[] }[]
    }
    Moderation: {
      id: string
      model: string
      results: {
        flagged: boolean
        categories: Record<string, unknown>
        category_scores: Record<string, unknown>
      }[]
      usage?: {
        prompt_tokens: number
        total_tokens: number
        cost_usd: string
        cost: number
      }
    }
    ModerationRequest: {
      model?: string | null
      models?: string[] | null
      input: string | string[] | { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }[]
      user?: string | null
      stream?: false | null
      metadata?: { tags?: string[] | null; retry_of?: string | null } | null
    }
    OAuthError: { error: string; error_description: string }
    Organization: {
      id: string
      object: 'organization'
      name: string
      status: 'active' | 'suspended' | 'closed'
      role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer' | null
      member_id: string | null
      created_at: number
    }
    OrganizationInvitation: {
      id: string
      object: 'organization_invitation'
      role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'
      email: string | null
      status: 'open' | 'used' | 'revoked' | 'expired'
      created_by: string | null
      created_at: number
      expires_at: number
      used_by: string | null
      used_at: number | null
    }
    OrganizationInvitationPreview: {
      object: 'organization_invitation_preview'
      organization_name: string
      role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'
      is_for_address: boolean
      expires_at: number
    }
    PaymentMethod: {
      object: 'payment_method'
      id: string
      kind: string
      brand: string | null
      last4: string | null
      expires_month: string | null
      sandbox: boolean
      created_at: number
    }
    PriceHistoryEntry: {
      id: string
      object: 'price_change'
      model: string
      price: string
      before: string | null
      after: string | null
      source: string
      version: string
      created_at: number
    }
    Pricing: {
      prompt: string
      completion: string
      input_cache_read?: string
      input_cache_write?: string
      input_cache_write_1h?: string
      internal_reasoning?: string
      audio?: string
      image?: string
      input_audio_cache?: string
      audio_output?: string
      image_output?: string
      web_search?: string
      grounded_prompt?: string
      citation?: string
      search_unit?: string
      request?: string
      overrides?: {
        min_prompt_tokens: number
        prompt?: string
        completion?: string
        input_cache_read?: string
        input_cache_write?: string
        input_cache_write_1h?: string
        internal_reasoning?: string
        audio?: string
        image?: string
        input_audio_cache?: string
        audio_output?: string
        image_output?: string
        web_search?: string
        grounded_prompt?: string
        citation?: string
        search_unit?: string
        request?: string
      }[]
      service_tiers?: Record<string, {
        prompt?: string
        completion?: string
        input_cache_read?: string
        input_cache_write?: string
        input_cache_write_1h?: string
        internal_reasoning?: string
        audio?: string
        image?: string
        input_audio_cache?: string
        audio_output?: string
        image_output?: string
        web_search?: string
        grounded_prompt?: string
        citation?: string
        search_unit?: string
        request?: string
      }>
    }
    Project: {
      id: string
      object: 'project'
      name: string
      created_at: number
      archived_at: number | null
    }
    PromptLog: {
      object: 'prompt_log'
      available: boolean
      log_prompts: boolean
      days: number
      max_days: number
      max_bytes: number
      max_account_bytes: number
      entries: number
      bytes: number
      oldest_at: number | null
    }
    Ranking: {
      id: string
      model: string
      results: {
        index: number
        relevance_score: number
        document?: { text?: string }
      }[]
      meta?: {
        billed_units: { search_units?: number; input_tokens?: number }
      }
      usage?: {
        search_units?: number
        prompt_tokens?: number
        total_tokens?: number
        cost_usd: string
        cost: number
      }
    }
    Receipt: {
      object: 'receipt'
      number: string
      issued_by: { name: string; legal_text: string | null } | null
      account: {
        id: string
        display_name: string | null
        email: string | null
      }
      billing_address: components['schemas']['BillingAddress'] | null
      paid_at: number
      method: 'stripe' | 'sandbox'
      currency: 'USD'
      paid_usd: string
      tax_usd: string
      credited_usd: string
      refunded_usd: string
      disputed_usd: string
      net_usd: string
    }
    RemovedMember: {
      id: string
      object: 'member'
      kind: 'person' | 'service'
      account_id: string | null
      name: string | null
      email: string | null
      email_verified: boolean
      role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'
      status: 'active' | 'leaving' | 'removed'
      source: 'founder' | 'invitation' | 'claims' | 'operator' | 'admin'
      created_at: number
      removed_at: number | null
      keys: 'organization' | 'revoked'
      key_count: number
    }
    Request: {
      id: string
      object: 'request'
      created_at: number
      account_id: string
      key_id: string
      paid_by: string | null
      endpoint: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
      operation: 'generate' | 'embed' | 'rerank' | 'moderate'
      stream: boolean
      tags: string[]
      model_asked: string | null
      model_served: string | null
      provider: string | null
      tier: string | null
      attempts: {
        provider: string
        model: string
        key?: number
        region?: string
        is_byok?: boolean
        status: number | null
        result: string
        duration_ms: number
      }[]
      dropped: string[]
      outcome: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
      status: number
      error_type: string | null
      error_param: string | null
      tokens_in: number
      tokens_out: number
      cost_usd: string
      is_byok: boolean
      own_cost_usd: string | null
      latency_ms: number
      time_to_first_token_ms: number | null
    }
    RequestDetail: {
      id: string
      object: 'request'
      created_at: number
      account_id: string
      key_id: string
      paid_by: string | null
      endpoint: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
      operation: 'generate' | 'embed' | 'rerank' | 'moderate'
      stream: boolean
      tags: string[]
      model_asked: string | null
      model_served: string | null
      provider: string | null
      tier: string | null
      attempts: {
        provider: string
        model: string
        key?: number
        region?: string
        is_byok?: boolean
        status: number | null
        result: string
        duration_ms: number
      }[]
      dropped: string[]
      outcome: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
      status: number
      error_type: string | null
      error_param: string | null
      tokens_in: number
      tokens_out: number
      cost_usd: string
      is_byok: boolean
      own_cost_usd: string | null
      latency_ms: number
      time_to_first_token_ms: number | null
      has_log: boolean
      usage: Record<string, unknown> | null
      price_version: string | null
      pricing: Record<string, unknown> | null
      markup: string
      hold_usd: string
      charge_usd: string
      vendor_cost_usd?: string | null
      route: {
        profile: string
        scored: string
        score: number
        probabilities: number[]
        confident: boolean
        because: string[]
        ranking: string[]
        delta?: number
        weights?: number
        calibration?: string
        calibrated?: string | null
        correction?: number[] | null
        conversation?: string | null
        kept?: string | null
        escalated?: string | null
        wanted?: string
        left?: Record<string, number>
        tiers?: string[]
        expected?: string[]
        resting?: number
      } | null
      baseline_usd: string | null
    }
    RequestLog: {
      id: string
      object: 'request.log'
      created_at: number
      expires_at: number
      unreadable: 'key_missing' | 'damaged' | null
      path: string | null
      request: {
        body: unknown
        bytes: number
        truncated: boolean
        messages: components['schemas']['LoggedMessage'][]
      } | null
      answer: {
        status: number
        streamed: boolean
        body: unknown
        bytes: number
        truncated: boolean
        messages: components['schemas']['LoggedMessage'][]
      } | null
      redacted: Record<string, number>
    }
    RerankRequest: {
      model: string
      models?: string[] | null
      query: string
      documents: (string | Record<string, unknown>)[]
      top_n?: number | null
      return_documents?: boolean | null
      max_tokens_per_doc?: number | null
      rank_fields?: string[] | null
      user?: string | null
      stream?: false | null
      metadata?: { tags?: string[] | null; retry_of?: string | null } | null
    }
    Response: {
      id: string
      object: 'response'
      created_at: number
      status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
      error: { code: string; message: string } | null
      incomplete_details: { reason: string } | null
      model: string
      output: { type: string }[]
      store: boolean
      usage: {
        input_tokens: number
        output_tokens: number
        total_tokens: number
      } | null
    }
    ResponseItemList: {
      object: 'list'
      data: { id: string; type?: string }[]
      first_id: string | null
      last_id: string | null
      has_more: boolean
    }
    ResponsesRequest: {
      model: string
      models?: string[] | null
      input: string | { type?: string | null; role?: string | null }[]
      instructions?: string | null
      stream?: boolean | null
      stream_options?: Record<string, unknown> | null
      max_output_tokens?: number | null
      temperature?: number | null
      top_p?: number | null
      top_logprobs?: number | null
      tools?: { type: string }[] | null
      tool_choice?: string | { type: string } | null
      parallel_tool_calls?: boolean | null
      text?: {
        format?: {
          type: 'text' | 'json_object' | 'json_schema'
          name?: string | null
          schema?: Record<string, unknown> | null
          strict?: boolean | null
          description?: string | null
        } | null
        verbosity?: string | null
      } | null
      reasoning?: {
        effort?: string | null
        summary?: string | null
        generate_summary?: string | null
        context?: string | null
      } | null
      include?: string[] | null
      truncation?: 'auto' | 'disabled' | null
      metadata?: { tags?: string[] | null; retry_of?: string | null } | null
      client_metadata?: Record<string, unknown> | null
      user?: string | null
      safety_identifier?: string | null
      prompt_cache_key?: string | null
      store?: boolean | null
      background?: boolean | null
      max_tool_calls?: number | null
    }
    Route: {
      object: 'route'
      model: string
      tier: 'SIMPLE' | 'MEDIUM' | 'COMPLEX' | 'REASONING'
      profile: string
      scored_tier: 'SIMPLE' | 'MEDIUM' | 'COMPLEX' | 'REASONING'
      calibration: 'off' | 'shadow' | 'on'
      calibrated_tier: 'SIMPLE' | 'MEDIUM' | 'COMPLEX' | 'REASONING' | null
      correction: {
        SIMPLE: number
        MEDIUM: number
        COMPLEX: number
        REASONING: number
      } | null
      score: number
      probabilities: {
        SIMPLE: number
        MEDIUM: number
        COMPLEX: number
        REASONING: number
      }
      confident: boolean
      known: number
      reasons: { reason: string; weight: number }[]
      because: string[]
      filters: { model: string; reason: string }[]
      candidates: {
        model: string
        tier: 'SIMPLE' | 'MEDIUM' | 'COMPLEX' | 'REASONING'
        expected_cost_usd: string
        healthy: boolean
      }[]
      runner_up: string | null
    }
    Session: {
      id: string
      object: 'session'
      kind: 'browser' | 'command_line' | 'device' | 'app'
      name: string | null
      user_agent: string | null
      address: string | null
      created_at: number
      last_used_at: number
      current: boolean
      key_id: string | null
      scopes: string[] | null
      organization_id: string | null
      organization_name: string | null
    }
    SetAsideRow: {
      id: string
      object: 'set_aside_row'
      request_id: string | null
      account_id: string | null
      key_id: string | null
      model: string | null
      requested_at: number | null
      charge_usd: string
      cause: 'owner' | 'amount' | 'time' | 'unreadable' | 'rule' | 'other'
      reason: string
      place: string
      changeable: boolean
      stored: boolean
    }
    TokenCount: { input_tokens: number }
    ToolCall: {
      id: string
      type: string
      function?: { name: string; arguments: string }
    }
    Topup: {
      object: 'topup'
      session_id: string
      status: 'open' | 'paid' | 'expired' | 'refunded'
      checkout_url: string | null
      amount_usd: string
      paid_usd: string
      tax_usd: string
      refunded_usd: string
      disputed_usd: string
      key_id: string | null
      origin: 'checkout' | 'auto' | 'link'
      sandbox: boolean
      created_at: number
      expires_at: number
      paid_at: number | null
    }
    TopupLink: {
      object: 'topup_link'
      status: 'open' | 'paid' | 'expired'
      paid: boolean
      balance_covers: boolean
    }
    Upstream: {
      object: 'upstream'
      provider: string
      model: string
      key: number | null
      region: string | null
      state: 'working' | 'failing' | 'resting' | 'probing'
      rests_for_seconds: number
      reason: string | null
      resting_accounts: number
      failures_in_a_row: number
      answers: number
      failures: number
      last_failure: { at: number; result: string } | null
      first_token_ms: number | null
      answer_ms: number | null
    }
    UpstreamAttempts: {
      object: 'upstream_attempts'
      provider: string
      model: string
      attempts: number
      failures: number
      refusals: number
      not_asked: number
      failure_rate: number | null
      previous_failure_rate: number | null
      results: {
        result: string
        attempts: number
        last_at: number
        last_request_id: string
      }[]
    }
    UpstreamCredential: {
      object: 'credential'
      provider: string
      key: number | null
      kind: 'key' | 'token' | 'signature'
      source: string
      state: 'ready' | 'minting' | 'failing' | 'absent'
      expires_in_seconds: number | null
      failure: string | null
      hint: string | null
    }
    Usage: {
      prompt_tokens: number
      completion_tokens: number
      total_tokens: number
      prompt_tokens_details: { cached_tokens: number; cache_write_tokens: number }
      completion_tokens_details: { reasoning_tokens: number }
      cost_usd: string
      cost: number
    }
    VendorKey: {
      id: string
      object: 'vendor_key'
      provider: string
      name: string
      last4: string
      status: 'active' | 'disabled'
      allow_fallback_to_shared: boolean
      position: number
      created_at: number
      updated_at: number
      last_used_at: number | null
      refused_at: number | null
    }
    VendorKeyProviders: {
      object: 'vendor_key_providers'
      fee_percent: string
      data: { name: string; title: string }[]
    }
  }
}

interface Failure {
  content: { 'application/json': components['schemas']['Error'] }
}

/** A page of a list. */
interface Page<Row> {
  object: 'list'
  data: Row[]
  has_more: boolean
  next_cursor: string | null
}

export interface paths {
  '/api/v1/admin/accounts': {
    get: {
      parameters: {
        query?: {
          search?: string
          status?: 'active' | 'suspended' | 'closed'
          kind?: 'person' | 'organization'
          tier?: string
          operator?: boolean
          from?: number
          to?: number
          order?: 'oldest' | 'newest'
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Account']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': {
        oidc_sub?: string
        email?: string
        display_name?: string
        tier?: string
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Account'] } }
        201: { content: { 'application/json': components['schemas']['Account'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}': {
    get: {
      parameters: { path: { account_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Account'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { account_id: string } }
      requestBody: { content: { 'application/json': {
        display_name?: string
        status?: 'active' | 'suspended' | 'closed'
        tier?: string
        operator?: boolean
        reason?: string
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Account'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/alerts': {
    get: {
      parameters: { path: { account_id: string } }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['AlertRule']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/alerts/{kind}': {
    put: {
      parameters: {
        path: {
          account_id: string
          kind: 'balance' | 'runway' | 'unusual_spend' | 'key_expiry'
        }
      }
      requestBody: { content: { 'application/json': {
        enabled: boolean
        threshold_usd?: string | number
        days?: number
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['AlertRule'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/auto-topup': {
    get: {
      parameters: { path: { account_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['AutoTopup'] } }
        default: Failure
      }
    }
    put: {
      parameters: { path: { account_id: string } }
      requestBody: { content: { 'application/json': {
        enabled?: boolean
        threshold_usd: string | number
        amount_usd: string | number
        monthly_cap_usd: string | number
        payment_method_id: string
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['AutoTopup'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { account_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['AutoTopup'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/budgets': {
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Budget']> } }
        default: Failure
      }
    }
    post: {
      parameters: {
        path: { account_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': {
        name: string
        scope: 'organization' | 'project' | 'member' | 'key' | 'tag' | 'model'
        subject?: string | null
        period: 'day' | 'week' | 'month' | 'total'
        limit_usd: string | number
        hard?: boolean
        notify?: number[]
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Budget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/budgets/{budget_id}': {
    get: {
      parameters: { path: { account_id: string; budget_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Budget'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { account_id: string; budget_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Budget'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { account_id: string; budget_id: string } }
      requestBody: { content: { 'application/json': {
        name?: string
        limit_usd?: string | number
        hard?: boolean
        notify?: number[]
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Budget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/budgets/{budget_id}/report': {
    get: {
      parameters: {
        query?: { from?: number; to?: number }
        path: { account_id: string; budget_id: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['BudgetReport'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/credits': {
    post: {
      parameters: {
        path: { account_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': {
        amount_usd: string | number
        key_id?: string
        kind: 'grant' | 'refund' | 'adjustment'
        corrects?: string
        reason: string
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['LedgerEntry'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/deliveries': {
    get: {
      parameters: {
        query?: {
          target_id?: string
          event_id?: string
          status?: 'pending' | 'delivered' | 'failed' | 'cancelled'
          limit?: number
          cursor?: string
        }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Delivery']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/deliveries/{delivery_id}': {
    get: {
      parameters: { path: { account_id: string; delivery_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['DeliveryWithLog'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/deliveries/{delivery_id}/redeliver': {
    post: {
      parameters: {
        path: { account_id: string; delivery_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['Delivery'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/event-targets': {
    get: {
      parameters: { path: { account_id: string } }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['EventTarget']> } }
        default: Failure
      }
    }
    post: {
      parameters: {
        path: { account_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': {
        kind: 'webhook' | 'mail'
        name?: string
        url?: string
        email?: string
        roles?: ('owner' | 'admin' | 'billing')[]
        types?: ('*' | 'balance.low' | 'balance.runway' | 'budget.threshold' | 'spend.unusual' | 'key.expiring' | 'topup.paid' | 'topup.failed' | 'topup.refunded' | 'auto_topup.action_required' | 'auto_topup.failed' | 'auto_topup.stopped' | 'auto_topup.capped' | 'member.joined' | 'member.role_changed' | 'member.left' | 'member.removed' | 'invitation.created' | 'invitation.revoked' | 'webhook.disabled' | 'webhook.test' | 'provider.key_refused' | 'ledger.difference' | 'topup.paid_after_closing')[]
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['CreatedEventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/event-targets/{target_id}': {
    get: {
      parameters: { path: { account_id: string; target_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['EventTarget'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { account_id: string; target_id: string } }
      responses: {
        200: { content: { 'application/json': { id: string; deleted: true } } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { account_id: string; target_id: string } }
      requestBody: { content: { 'application/json': {
        name?: string
        url?: string
        roles?: ('owner' | 'admin' | 'billing')[]
        types?: ('*' | 'balance.low' | 'balance.runway' | 'budget.threshold' | 'spend.unusual' | 'key.expiring' | 'topup.paid' | 'topup.failed' | 'topup.refunded' | 'auto_topup.action_required' | 'auto_topup.failed' | 'auto_topup.stopped' | 'auto_topup.capped' | 'member.joined' | 'member.role_changed' | 'member.left' | 'member.removed' | 'invitation.created' | 'invitation.revoked' | 'webhook.disabled' | 'webhook.test' | 'provider.key_refused' | 'ledger.difference' | 'topup.paid_after_closing')[]
        status?: 'active' | 'disabled'
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['EventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/event-targets/{target_id}/confirmation': {
    post: {
      parameters: {
        path: { account_id: string; target_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['EventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/event-targets/{target_id}/rotate-secret': {
    post: {
      parameters: {
        path: { account_id: string; target_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['CreatedEventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/event-targets/{target_id}/test': {
    post: {
      parameters: {
        path: { account_id: string; target_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        201: { content: { 'application/json': components['schemas']['Delivery'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/events': {
    get: {
      parameters: {
        query?: {
          type?: 'balance.low' | 'balance.runway' | 'budget.threshold' | 'spend.unusual' | 'key.expiring' | 'topup.paid' | 'topup.failed' | 'topup.refunded' | 'auto_topup.action_required' | 'auto_topup.failed' | 'auto_topup.stopped' | 'auto_topup.capped' | 'member.joined' | 'member.role_changed' | 'member.left' | 'member.removed' | 'invitation.created' | 'invitation.revoked' | 'webhook.disabled' | 'webhook.test' | 'provider.key_refused' | 'ledger.difference' | 'topup.paid_after_closing'
          limit?: number
          cursor?: string
        }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Event']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/events/{event_id}': {
    get: {
      parameters: { path: { account_id: string; event_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Event'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/keys': {
    get: {
      parameters: {
        query?: {
          member_id?: string
          project_id?: string
          limit?: number
          cursor?: string
        }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Key']> } }
        default: Failure
      }
    }
    post: {
      parameters: {
        path: { account_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': {
        name: string
        draws_on?: string | null
        member_id?: string | null
        project_id?: string | null
        expires_at?: number | null
        allowed_models?: string[] | null
        spend_limit_usd?: string | number | null
        spend_limit_period?: 'day' | 'week' | 'month' | 'total' | null
        unsupported_fields?: 'refuse' | 'drop' | null
        log_prompts?: boolean | null
        may_top_up?: boolean | null
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['CreatedKey'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/keys/{key_id}': {
    get: {
      parameters: { path: { account_id: string; key_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Key'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { account_id: string; key_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Key'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { account_id: string; key_id: string } }
      requestBody: { content: { 'application/json': {
        name?: string
        draws_on?: string | null
        expires_at?: number | null
        allowed_models?: string[] | null
        spend_limit_usd?: string | number | null
        spend_limit_period?: 'day' | 'week' | 'month' | 'total' | null
        unsupported_fields?: 'refuse' | 'drop' | null
        log_prompts?: boolean | null
        may_top_up?: boolean | null
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Key'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/keys/{key_id}/hand-over': {
    post: {
      parameters: {
        path: { account_id: string; key_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': { member_id?: string | null; project_id?: string | null } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Key'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/keys/{key_id}/rotate': {
    post: {
      parameters: {
        path: { account_id: string; key_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody?: { content: { 'application/json': { grace_seconds?: number } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['CreatedKey'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/keys/{key_id}/transfer': {
    post: {
      parameters: {
        path: { account_id: string; key_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': { to_key_id: string; amount_usd: string | number } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['LedgerEntry'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/ledger': {
    get: {
      parameters: {
        query?: {
          kind?: ('topup' | 'grant' | 'usage' | 'transfer' | 'sweep' | 'refund' | 'adjustment')[]
          key_id?: string
          from?: string
          to?: string
          limit?: number
          cursor?: string
        }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['LedgerEntry']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/ledger/export': {
    get: {
      parameters: {
        query: {
          kind?: ('topup' | 'grant' | 'usage' | 'transfer' | 'sweep' | 'refund' | 'adjustment')[]
          key_id?: string
          from?: string
          to?: string
          format: 'csv' | 'jsonl'
        }
        path: { account_id: string }
      }
      responses: {
        200: { content?: never }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/organization': {
    get: {
      parameters: { path: { account_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Organization'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/organization/close': {
    post: {
      parameters: {
        path: { account_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': { confirm: string } } }
      responses: {
        200: { content: { 'application/json': {
          object: 'closed_account'
          account_id: string
          credit_usd: string
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/organization/invitations': {
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['OrganizationInvitation']> } }
        default: Failure
      }
    }
    post: {
      parameters: {
        path: { account_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': {
        role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'
        email?: string
        send_mail?: boolean
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['CreatedOrganizationInvitation'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/organization/invitations/{invitation_id}': {
    delete: {
      parameters: { path: { account_id: string; invitation_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['OrganizationInvitation'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/organization/members': {
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Member']> } }
        default: Failure
      }
    }
    post: {
      parameters: {
        path: { account_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': { name: string } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Member'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/organization/members/{member_id}': {
    get: {
      parameters: { path: { account_id: string; member_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Member'] } }
        default: Failure
      }
    }
    delete: {
      parameters: {
        query: { keys: 'organization' | 'revoked' }
        path: { account_id: string; member_id: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['RemovedMember'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { account_id: string; member_id: string } }
      requestBody: { content: { 'application/json': {
        role?: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'
        name?: string
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Member'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/payment-methods': {
    get: {
      parameters: { path: { account_id: string } }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['PaymentMethod']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/payment-methods/{payment_method_id}': {
    delete: {
      parameters: { path: { account_id: string; payment_method_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['PaymentMethod'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/projects': {
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Project']> } }
        default: Failure
      }
    }
    post: {
      parameters: {
        path: { account_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': { name: string } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Project'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/projects/{project_id}': {
    get: {
      parameters: { path: { account_id: string; project_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Project'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { account_id: string; project_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Project'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { account_id: string; project_id: string } }
      requestBody: { content: { 'application/json': { name: string } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Project'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/topup': {
    post: {
      parameters: {
        path: { account_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': {
        amount_usd: string | number
        key_id?: string
        save_payment_method?: boolean
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Topup'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/topup/{session_id}': {
    get: {
      parameters: { path: { account_id: string; session_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Topup'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/topup/{session_id}/receipt': {
    get: {
      parameters: { path: { account_id: string; session_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Receipt'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/topups': {
    get: {
      parameters: {
        query?: {
          from?: number
          to?: number
          limit?: number
          cursor?: string
        }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Topup']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/usage': {
    get: {
      parameters: {
        query?: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
        }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': {
          range_days: number
          total_requests: number
          total_tokens_in: number
          total_tokens_out: number
          total_cost_usd: string
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/usage/breakdown': {
    get: {
      parameters: {
        query: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
          by: string[]
          limit?: number
          cursor?: string
        }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': {
          object: 'list'
          data: {
            group: string | null | (string | null)[]
            total_requests: number
            total_tokens_in: number
            total_tokens_out: number
            total_cost_usd: string
            total_saved_usd?: string
          }[]
          has_more: boolean
          next_cursor: string | null
          others: {
            total_requests: number
            total_tokens_in: number
            total_tokens_out: number
            total_cost_usd: string
            total_saved_usd?: string
          } | null
          range_days: number
          by: string[]
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/usage/export': {
    get: {
      parameters: {
        query: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
          format: 'csv' | 'jsonl'
        }
        path: { account_id: string }
      }
      responses: {
        200: { content?: never }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/usage/health': {
    get: {
      parameters: {
        query?: {
          days?: number
          from?: string
          to?: string
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tag?: string
          by?: string
          limit?: number
        }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': {
          object: 'health'
          range_days: number
          counted_since: number
          by: string | null
          total: components['schemas']['HealthFigures']
          previous: components['schemas']['HealthFigures']
          data: {
            group: string | null
            requests: number
            completed: number
            error_rate: number | null
            errors: { type: string; requests: number }[]
            time_to_first_token_ms: { p50: number | null; p95: number | null }
            latency_ms: { p50: number | null; p95: number | null }
            tokens_per_second: number | null
            tokens_in: number
            cache_read_tokens: number
            cache_write_tokens: number
            cache_saved_usd: string
            previous: components['schemas']['HealthFigures'] | null
          }[]
          has_more: boolean
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/usage/requests': {
    get: {
      parameters: {
        query?: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
          limit?: number
          cursor?: string
        }
        path: { account_id: string }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Request']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/usage/requests/{request_id}': {
    get: {
      parameters: { path: { account_id: string; request_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['RequestDetail'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/vendor-keys': {
    get: {
      parameters: { path: { account_id: string } }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['VendorKey']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/accounts/{account_id}/vendor-keys/{vendor_key_id}': {
    get: {
      parameters: { path: { account_id: string; vendor_key_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['VendorKey'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { account_id: string; vendor_key_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['VendorKey'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { account_id: string; vendor_key_id: string } }
      requestBody: { content: { 'application/json': {
        name?: string
        status?: 'active' | 'disabled'
        allow_fallback_to_shared?: boolean
        position?: number
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['VendorKey'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/audit': {
    get: {
      parameters: {
        query?: {
          account_id?: string
          target?: string
          actor?: 'operator' | 'user'
          subject?: string
          action?: string
          who?: string
          refused?: boolean
          from?: number
          to?: number
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['AuditEntry']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/deliveries': {
    get: {
      parameters: {
        query?: {
          target_id?: string
          event_id?: string
          status?: 'pending' | 'delivered' | 'failed' | 'cancelled'
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Delivery']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/deliveries/{delivery_id}': {
    get: {
      parameters: { path: { delivery_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['DeliveryWithLog'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/deliveries/{delivery_id}/redeliver': {
    post: {
      parameters: {
        path: { delivery_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['Delivery'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/event-targets': {
    get: {
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['EventTarget']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': {
        kind: 'webhook' | 'mail'
        name?: string
        url?: string
        email?: string
        roles?: ('owner' | 'admin' | 'billing')[]
        types?: ('*' | 'balance.low' | 'balance.runway' | 'budget.threshold' | 'spend.unusual' | 'key.expiring' | 'topup.paid' | 'topup.failed' | 'topup.refunded' | 'auto_topup.action_required' | 'auto_topup.failed' | 'auto_topup.stopped' | 'auto_topup.capped' | 'member.joined' | 'member.role_changed' | 'member.left' | 'member.removed' | 'invitation.created' | 'invitation.revoked' | 'webhook.disabled' | 'webhook.test' | 'provider.key_refused' | 'ledger.difference' | 'topup.paid_after_closing')[]
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['CreatedEventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/event-targets/{target_id}': {
    get: {
      parameters: { path: { target_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['EventTarget'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { target_id: string } }
      responses: {
        200: { content: { 'application/json': { id: string; deleted: true } } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { target_id: string } }
      requestBody: { content: { 'application/json': {
        name?: string
        url?: string
        roles?: ('owner' | 'admin' | 'billing')[]
        types?: ('*' | 'balance.low' | 'balance.runway' | 'budget.threshold' | 'spend.unusual' | 'key.expiring' | 'topup.paid' | 'topup.failed' | 'topup.refunded' | 'auto_topup.action_required' | 'auto_topup.failed' | 'auto_topup.stopped' | 'auto_topup.capped' | 'member.joined' | 'member.role_changed' | 'member.left' | 'member.removed' | 'invitation.created' | 'invitation.revoked' | 'webhook.disabled' | 'webhook.test' | 'provider.key_refused' | 'ledger.difference' | 'topup.paid_after_closing')[]
        status?: 'active' | 'disabled'
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['EventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/event-targets/{target_id}/confirmation': {
    post: {
      parameters: {
        path: { target_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['EventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/event-targets/{target_id}/rotate-secret': {
    post: {
      parameters: {
        path: { target_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['CreatedEventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/event-targets/{target_id}/test': {
    post: {
      parameters: {
        path: { target_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        201: { content: { 'application/json': components['schemas']['Delivery'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/events': {
    get: {
      parameters: {
        query?: {
          type?: 'balance.low' | 'balance.runway' | 'budget.threshold' | 'spend.unusual' | 'key.expiring' | 'topup.paid' | 'topup.failed' | 'topup.refunded' | 'auto_topup.action_required' | 'auto_topup.failed' | 'auto_topup.stopped' | 'auto_topup.capped' | 'member.joined' | 'member.role_changed' | 'member.left' | 'member.removed' | 'invitation.created' | 'invitation.revoked' | 'webhook.disabled' | 'webhook.test' | 'provider.key_refused' | 'ledger.difference' | 'topup.paid_after_closing'
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Event']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/events/{event_id}': {
    get: {
      parameters: { path: { event_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Event'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/identity/invites': {
    get: {
      parameters: {
        query?: {
          state?: 'open' | 'used' | 'expired'
          from?: number
          to?: number
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Invite']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody?: { content: { 'application/json': { email?: string; expires_in_days?: number } } }
      responses: {
        201: { content: { 'application/json': {
          id: string
          object: 'invite'
          email: string | null
          created_at: number
          expires_at: number
          used_at: number | null
          code: string
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/identity/invites/{invite_id}': {
    delete: {
      parameters: { path: { invite_id: string } }
      responses: {
        200: { content: { 'application/json': { id: string; deleted: true } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/identity/keys/rotate': {
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      responses: {
        201: { content: { 'application/json': { key_id: string; created_at: number } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/ledger/verifications': {
    get: {
      parameters: {
        query?: {
          from?: number
          to?: number
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['LedgerVerification']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      responses: {
        202: { content: { 'application/json': components['schemas']['LedgerVerification'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/ledger/verifications/{verification_id}': {
    get: {
      parameters: { path: { verification_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['LedgerVerification'] } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/ledger/verify': {
    get: {
      responses: {
        200: { content: { 'application/json': {
          ok: boolean
          checked: number
          differences: components['schemas']['LedgerDifference'][]
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/prices': {
    get: {
      responses: {
        200: { content: { 'application/json': {
          version: string
          source: string
          updated_at: number
          models: number
          changed_models: number
          changes: {
            model: string
            price: string
            before: string | null
            after: string | null
            changed_percent: number | null
          }[]
          unpriced: string[]
          problems: string[]
          not_charged: { model: string; prices: string[] }[]
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/prices/changes': {
    get: {
      parameters: {
        query?: {
          model?: string
          from?: number
          to?: number
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['PriceHistoryEntry']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/prices/refresh': {
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      responses: {
        200: { content: { 'application/json': {
          version: string
          source: string
          updated_at: number
          models: number
          changed_models: number
          changes: {
            model: string
            price: string
            before: string | null
            after: string | null
            changed_percent: number | null
          }[]
          unpriced: string[]
          problems: string[]
          not_charged: { model: string; prices: string[] }[]
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/set-aside': {
    get: {
      responses: {
        200: { content: { 'application/json': {
          object: 'list'
          data: components['schemas']['SetAsideRow'][]
          total: number
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/set-aside/{row_id}/discard': {
    post: {
      parameters: {
        path: { row_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': { reason: string } } }
      responses: {
        200: { content: { 'application/json': { id: string; discarded: true } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/set-aside/{row_id}/retry': {
    post: {
      parameters: {
        path: { row_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': { id: string; written: boolean; reason: string | null } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/upstreams': {
    get: {
      responses: {
        200: { content: { 'application/json': {
          object: 'list'
          data: components['schemas']['Upstream'][]
          credentials: components['schemas']['UpstreamCredential'][]
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/upstreams/attempts': {
    get: {
      parameters: {
        query?: {
          days?: number
          from?: string
          to?: string
          provider?: string
          model?: string
          by?: 'day' | 'hour'
        }
      }
      responses: {
        200: { content: { 'application/json': {
          object: 'list'
          range_days: number
          counted_since: number
          data: components['schemas']['UpstreamAttempts'][]
          periods: { period: string; attempts: number; failures: number }[]
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/usage': {
    get: {
      parameters: {
        query?: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
        }
      }
      responses: {
        200: { content: { 'application/json': {
          range_days: number
          total_requests: number
          total_tokens_in: number
          total_tokens_out: number
          total_cost_usd: string
          total_vendor_cost_usd: string | null
          total_margin_usd: string | null
          total_uncosted_usd: string
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/usage/breakdown': {
    get: {
      parameters: {
        query: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
          by: string[]
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': {
          object: 'list'
          data: {
            group: string | null | (string | null)[]
            total_requests: number
            total_tokens_in: number
            total_tokens_out: number
            total_cost_usd: string
            total_vendor_cost_usd: string | null
            total_margin_usd: string | null
            total_uncosted_usd: string
            total_saved_usd?: string
          }[]
          has_more: boolean
          next_cursor: string | null
          others: {
            total_requests: number
            total_tokens_in: number
            total_tokens_out: number
            total_cost_usd: string
            total_vendor_cost_usd: string | null
            total_margin_usd: string | null
            total_uncosted_usd: string
            total_saved_usd?: string
          } | null
          range_days: number
          by: string[]
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/usage/export': {
    get: {
      parameters: {
        query: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
          format: 'csv' | 'jsonl'
        }
      }
      responses: {
        200: { content?: never }
        default: Failure
      }
    }
  }
  '/api/v1/admin/usage/health': {
    get: {
      parameters: {
        query?: {
          days?: number
          from?: string
          to?: string
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tag?: string
          by?: string
          limit?: number
        }
      }
      responses: {
        200: { content: { 'application/json': {
          object: 'health'
          range_days: number
          counted_since: number
          by: string | null
          total: components['schemas']['HealthFigures']
          previous: components['schemas']['HealthFigures']
          data: {
            group: string | null
            requests: number
            completed: number
            error_rate: number | null
            errors: { type: string; requests: number }[]
            time_to_first_token_ms: { p50: number | null; p95: number | null }
            latency_ms: { p50: number | null; p95: number | null }
            tokens_per_second: number | null
            tokens_in: number
            cache_read_tokens: number
            cache_write_tokens: number
            cache_saved_usd: string
            previous: components['schemas']['HealthFigures'] | null
          }[]
          has_more: boolean
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/usage/requests': {
    get: {
      parameters: {
        query?: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Request']> } }
        default: Failure
      }
    }
  }
  '/api/v1/admin/usage/requests/{request_id}': {
    get: {
      parameters: { path: { request_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['RequestDetail'] } }
        default: Failure
      }
    }
  }
  '/api/v1/alerts': {
    get: {
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['AlertRule']> } }
        default: Failure
      }
    }
  }
  '/api/v1/alerts/{kind}': {
    put: {
      parameters: {
        path: {
          kind: 'balance' | 'runway' | 'unusual_spend' | 'key_expiry'
        }
      }
      requestBody: { content: { 'application/json': {
        enabled: boolean
        threshold_usd?: string | number
        days?: number
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['AlertRule'] } }
        default: Failure
      }
    }
  }
  '/api/v1/auth/discovery': {
    get: {
      responses: {
        200: { content: { 'application/json': {
          issuer: string
          client_id: string
          authorization_endpoint: string | null
          device_authorization_endpoint: string | null
          token_endpoint: string
          scopes: string[]
          resource: string
          public_models: boolean
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/auth/new-password': {
    post: {
      requestBody: { content: { 'application/json': { code: string; new_password: string } } }
      responses: {
        200: { content: { 'application/json': { changed: true; email: string } } }
        default: Failure
      }
    }
  }
  '/api/v1/auto-topup': {
    get: {
      responses: {
        200: { content: { 'application/json': components['schemas']['AutoTopup'] } }
        default: Failure
      }
    }
    put: {
      requestBody: { content: { 'application/json': {
        enabled?: boolean
        threshold_usd: string | number
        amount_usd: string | number
        monthly_cap_usd: string | number
        payment_method_id: string
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['AutoTopup'] } }
        default: Failure
      }
    }
    delete: {
      responses: {
        200: { content: { 'application/json': components['schemas']['AutoTopup'] } }
        default: Failure
      }
    }
  }
  '/api/v1/balance': {
    get: {
      responses: {
        200: { content: { 'application/json': {
          balance_usd: string
          currency: 'USD'
          unassigned_usd: string
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/budgets': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string } }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Budget']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': {
        name: string
        scope: 'organization' | 'project' | 'member' | 'key' | 'tag' | 'model'
        subject?: string | null
        period: 'day' | 'week' | 'month' | 'total'
        limit_usd: string | number
        hard?: boolean
        notify?: number[]
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Budget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/budgets/{budget_id}': {
    get: {
      parameters: { path: { budget_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Budget'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { budget_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Budget'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { budget_id: string } }
      requestBody: { content: { 'application/json': {
        name?: string
        limit_usd?: string | number
        hard?: boolean
        notify?: number[]
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Budget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/budgets/{budget_id}/report': {
    get: {
      parameters: {
        query?: { from?: number; to?: number }
        path: { budget_id: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['BudgetReport'] } }
        default: Failure
      }
    }
  }
  '/api/v1/deliveries': {
    get: {
      parameters: {
        query?: {
          target_id?: string
          event_id?: string
          status?: 'pending' | 'delivered' | 'failed' | 'cancelled'
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Delivery']> } }
        default: Failure
      }
    }
  }
  '/api/v1/deliveries/{delivery_id}': {
    get: {
      parameters: { path: { delivery_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['DeliveryWithLog'] } }
        default: Failure
      }
    }
  }
  '/api/v1/deliveries/{delivery_id}/redeliver': {
    post: {
      parameters: {
        path: { delivery_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['Delivery'] } }
        default: Failure
      }
    }
  }
  '/api/v1/event-targets': {
    get: {
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['EventTarget']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': {
        kind: 'webhook' | 'mail'
        name?: string
        url?: string
        email?: string
        roles?: ('owner' | 'admin' | 'billing')[]
        types?: ('*' | 'balance.low' | 'balance.runway' | 'budget.threshold' | 'spend.unusual' | 'key.expiring' | 'topup.paid' | 'topup.failed' | 'topup.refunded' | 'auto_topup.action_required' | 'auto_topup.failed' | 'auto_topup.stopped' | 'auto_topup.capped' | 'member.joined' | 'member.role_changed' | 'member.left' | 'member.removed' | 'invitation.created' | 'invitation.revoked' | 'webhook.disabled' | 'webhook.test' | 'provider.key_refused' | 'ledger.difference' | 'topup.paid_after_closing')[]
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['CreatedEventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/event-targets/{target_id}': {
    get: {
      parameters: { path: { target_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['EventTarget'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { target_id: string } }
      responses: {
        200: { content: { 'application/json': { id: string; deleted: true } } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { target_id: string } }
      requestBody: { content: { 'application/json': {
        name?: string
        url?: string
        roles?: ('owner' | 'admin' | 'billing')[]
        types?: ('*' | 'balance.low' | 'balance.runway' | 'budget.threshold' | 'spend.unusual' | 'key.expiring' | 'topup.paid' | 'topup.failed' | 'topup.refunded' | 'auto_topup.action_required' | 'auto_topup.failed' | 'auto_topup.stopped' | 'auto_topup.capped' | 'member.joined' | 'member.role_changed' | 'member.left' | 'member.removed' | 'invitation.created' | 'invitation.revoked' | 'webhook.disabled' | 'webhook.test' | 'provider.key_refused' | 'ledger.difference' | 'topup.paid_after_closing')[]
        status?: 'active' | 'disabled'
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['EventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/event-targets/{target_id}/confirmation': {
    post: {
      parameters: {
        path: { target_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['EventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/event-targets/{target_id}/rotate-secret': {
    post: {
      parameters: {
        path: { target_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['CreatedEventTarget'] } }
        default: Failure
      }
    }
  }
  '/api/v1/event-targets/{target_id}/test': {
    post: {
      parameters: {
        path: { target_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        201: { content: { 'application/json': components['schemas']['Delivery'] } }
        default: Failure
      }
    }
  }
  '/api/v1/events': {
    get: {
      parameters: {
        query?: {
          type?: 'balance.low' | 'balance.runway' | 'budget.threshold' | 'spend.unusual' | 'key.expiring' | 'topup.paid' | 'topup.failed' | 'topup.refunded' | 'auto_topup.action_required' | 'auto_topup.failed' | 'auto_topup.stopped' | 'auto_topup.capped' | 'member.joined' | 'member.role_changed' | 'member.left' | 'member.removed' | 'invitation.created' | 'invitation.revoked' | 'webhook.disabled' | 'webhook.test' | 'provider.key_refused' | 'ledger.difference' | 'topup.paid_after_closing'
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Event']> } }
        default: Failure
      }
    }
  }
  '/api/v1/events/{event_id}': {
    get: {
      parameters: { path: { event_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Event'] } }
        default: Failure
      }
    }
  }
  '/api/v1/ledger': {
    get: {
      parameters: {
        query?: {
          kind?: ('topup' | 'grant' | 'usage' | 'transfer' | 'sweep' | 'refund' | 'adjustment')[]
          key_id?: string
          from?: string
          to?: string
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['LedgerEntry']> } }
        default: Failure
      }
    }
  }
  '/api/v1/ledger/export': {
    get: {
      parameters: {
        query: {
          kind?: ('topup' | 'grant' | 'usage' | 'transfer' | 'sweep' | 'refund' | 'adjustment')[]
          key_id?: string
          from?: string
          to?: string
          format: 'csv' | 'jsonl'
        }
      }
      responses: {
        200: { content?: never }
        default: Failure
      }
    }
  }
  '/api/v1/me': {
    get: {
      responses: {
        200: { content: { 'application/json': components['schemas']['Me'] } }
        default: Failure
      }
    }
    patch: {
      requestBody: { content: { 'application/json': {
        display_name?: string
        baseline_model?: string | null
        log_prompts?: boolean
        log_days?: number | null
        keys_may_top_up?: boolean
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Me'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/billing': {
    get: {
      responses: {
        200: { content: { 'application/json': components['schemas']['BillingDetails'] } }
        default: Failure
      }
    }
    put: {
      requestBody: { content: { 'application/json': {
        name: string
        line1: string
        line2?: string | null
        postal_code?: string | null
        city: string
        region?: string | null
        country: string
        vat_id?: string | null
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['BillingDetails'] } }
        default: Failure
      }
    }
    delete: {
      responses: {
        200: { content: { 'application/json': components['schemas']['BillingDetails'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/close': {
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': { confirm: string } } }
      responses: {
        200: { content: { 'application/json': {
          object: 'closed_account'
          account_id: string
          credit_usd: string
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/me/closing': {
    get: {
      responses: {
        200: { content: { 'application/json': components['schemas']['AccountClosing'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/connected-apps': {
    get: {
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['ConnectedApp']> } }
        default: Failure
      }
    }
  }
  '/api/v1/me/connected-apps/{app_id}': {
    delete: {
      parameters: { path: { app_id: string } }
      responses: {
        200: { content: { 'application/json': { id: string; deleted: true } } }
        default: Failure
      }
    }
  }
  '/api/v1/me/device-sign-ins/{user_code}': {
    get: {
      parameters: { path: { user_code: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['DeviceSignIn'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/device-sign-ins/{user_code}/approve': {
    post: {
      parameters: {
        path: { user_code: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': {
        spend_limit_usd: string | number | null
        spend_limit_period?: 'day' | 'week' | 'month' | 'total' | null
        credit_usd?: string | number
        from_key_id?: string
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['DeviceSignIn'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/device-sign-ins/{user_code}/deny': {
    post: {
      parameters: {
        path: { user_code: string }
        header?: { 'Idempotency-Key'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['DeviceSignIn'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/email': {
    post: {
      requestBody: { content: { 'application/json': { current_password: string; email: string } } }
      responses: {
        200: { content: { 'application/json': { changed: boolean; pending_email: string | null } } }
        default: Failure
      }
    }
  }
  '/api/v1/me/export': {
    get: {
      responses: {
        200: { content?: never }
        default: Failure
      }
    }
  }
  '/api/v1/me/keys': {
    get: {
      parameters: {
        query?: {
          member_id?: string
          project_id?: string
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Key']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': {
        name: string
        draws_on?: string | null
        member_id?: string | null
        project_id?: string | null
        expires_at?: number | null
        allowed_models?: string[] | null
        spend_limit_usd?: string | number | null
        spend_limit_period?: 'day' | 'week' | 'month' | 'total' | null
        unsupported_fields?: 'refuse' | 'drop' | null
        log_prompts?: boolean | null
        may_top_up?: boolean | null
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['CreatedKey'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/keys/{key_id}': {
    get: {
      parameters: { path: { key_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Key'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { key_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Key'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { key_id: string } }
      requestBody: { content: { 'application/json': {
        name?: string
        draws_on?: string | null
        expires_at?: number | null
        allowed_models?: string[] | null
        spend_limit_usd?: string | number | null
        spend_limit_period?: 'day' | 'week' | 'month' | 'total' | null
        unsupported_fields?: 'refuse' | 'drop' | null
        log_prompts?: boolean | null
        may_top_up?: boolean | null
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Key'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/keys/{key_id}/hand-over': {
    post: {
      parameters: {
        path: { key_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': { member_id?: string | null; project_id?: string | null } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Key'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/keys/{key_id}/rotate': {
    post: {
      parameters: {
        path: { key_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody?: { content: { 'application/json': { grace_seconds?: number } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['CreatedKey'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/keys/{key_id}/transfer': {
    post: {
      parameters: {
        path: { key_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': { to_key_id: string; amount_usd: string | number } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['LedgerEntry'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/login': {
    get: {
      responses: {
        200: { content: { 'application/json': components['schemas']['Login'] } }
        default: Failure
      }
    }
  }
  '/api/v1/me/login/verify-email': {
    post: {
      responses: {
        200: { content: { 'application/json': { object: 'verification_mail'; email: string } } }
        default: Failure
      }
    }
  }
  '/api/v1/me/login/verify-email/confirm': {
    post: {
      requestBody: { content: { 'application/json': { code: string } } }
      responses: {
        200: { content: { 'application/json': { email: string; email_verified: true } } }
        default: Failure
      }
    }
  }
  '/api/v1/me/password': {
    post: {
      requestBody: { content: { 'application/json': { current_password: string; new_password: string } } }
      responses: {
        200: { content: { 'application/json': { changed: true } } }
        default: Failure
      }
    }
  }
  '/api/v1/me/prompt-log': {
    get: {
      responses: {
        200: { content: { 'application/json': components['schemas']['PromptLog'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { query?: { key_id?: string } }
      responses: {
        200: { content: { 'application/json': { id: string; object: 'prompt_log'; deleted: number } } }
        default: Failure
      }
    }
  }
  '/api/v1/me/sessions': {
    get: {
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Session']> } }
        default: Failure
      }
    }
  }
  '/api/v1/me/sessions/end-others': {
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Session']> } }
        default: Failure
      }
    }
  }
  '/api/v1/me/sessions/{login_session_id}': {
    delete: {
      parameters: { path: { login_session_id: string } }
      responses: {
        200: { content: { 'application/json': { id: string; deleted: true } } }
        default: Failure
      }
    }
  }
  '/api/v1/models': {
    get: {
      responses: {
        200: { content: { 'application/json': { object: 'list'; data: components['schemas']['Model'][] } } }
        default: Failure
      }
    }
  }
  '/api/v1/models/providers': {
    get: {
      parameters: { query: { model: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['ModelProviders'] } }
        default: Failure
      }
    }
  }
  '/api/v1/organization': {
    get: {
      responses: {
        200: { content: { 'application/json': components['schemas']['Organization'] } }
        default: Failure
      }
    }
  }
  '/api/v1/organization-invitations/accept': {
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': { code: string } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Organization'] } }
        default: Failure
      }
    }
  }
  '/api/v1/organization-invitations/preview': {
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': { code: string } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['OrganizationInvitationPreview'] } }
        default: Failure
      }
    }
  }
  '/api/v1/organization/close': {
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': { confirm: string } } }
      responses: {
        200: { content: { 'application/json': {
          object: 'closed_account'
          account_id: string
          credit_usd: string
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/organization/invitations': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string } }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['OrganizationInvitation']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': {
        role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'
        email?: string
        send_mail?: boolean
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['CreatedOrganizationInvitation'] } }
        default: Failure
      }
    }
  }
  '/api/v1/organization/invitations/{invitation_id}': {
    delete: {
      parameters: { path: { invitation_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['OrganizationInvitation'] } }
        default: Failure
      }
    }
  }
  '/api/v1/organization/leave': {
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody?: { content: { 'application/json': { keys?: 'organization' | 'revoked' } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['RemovedMember'] } }
        default: Failure
      }
    }
  }
  '/api/v1/organization/members': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string } }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Member']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': { name: string } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Member'] } }
        default: Failure
      }
    }
  }
  '/api/v1/organization/members/{member_id}': {
    get: {
      parameters: { path: { member_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Member'] } }
        default: Failure
      }
    }
    delete: {
      parameters: {
        query: { keys: 'organization' | 'revoked' }
        path: { member_id: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['RemovedMember'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { member_id: string } }
      requestBody: { content: { 'application/json': {
        role?: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'
        name?: string
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Member'] } }
        default: Failure
      }
    }
  }
  '/api/v1/organizations': {
    get: {
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Organization']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': { name: string } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Organization'] } }
        default: Failure
      }
    }
  }
  '/api/v1/payment-methods': {
    get: {
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['PaymentMethod']> } }
        default: Failure
      }
    }
  }
  '/api/v1/payment-methods/{payment_method_id}': {
    delete: {
      parameters: { path: { payment_method_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['PaymentMethod'] } }
        default: Failure
      }
    }
  }
  '/api/v1/projects': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string } }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Project']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': { name: string } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Project'] } }
        default: Failure
      }
    }
  }
  '/api/v1/projects/{project_id}': {
    get: {
      parameters: { path: { project_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Project'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { project_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Project'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { project_id: string } }
      requestBody: { content: { 'application/json': { name: string } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Project'] } }
        default: Failure
      }
    }
  }
  '/api/v1/public/models': {
    get: {
      responses: {
        200: { content: { 'application/json': { object: 'list'; data: components['schemas']['Model'][] } } }
        default: Failure
      }
    }
  }
  '/api/v1/public/models/providers': {
    get: {
      parameters: { query: { model: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['ModelProviders'] } }
        default: Failure
      }
    }
  }
  '/api/v1/public/topup-links/{token}': {
    get: {
      parameters: { path: { token: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['TopupLink'] } }
        default: Failure
      }
    }
  }
  '/api/v1/route': {
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': { messages: (Record<string, unknown>)[]; model?: string } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Route'] } }
        default: Failure
      }
    }
  }
  '/api/v1/topup': {
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': {
        amount_usd: string | number
        key_id?: string
        save_payment_method?: boolean
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['Topup'] } }
        default: Failure
      }
    }
  }
  '/api/v1/topup/{session_id}': {
    get: {
      parameters: { path: { session_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Topup'] } }
        default: Failure
      }
    }
  }
  '/api/v1/topup/{session_id}/receipt': {
    get: {
      parameters: { path: { session_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Receipt'] } }
        default: Failure
      }
    }
  }
  '/api/v1/topups': {
    get: {
      parameters: {
        query?: {
          from?: number
          to?: number
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Topup']> } }
        default: Failure
      }
    }
  }
  '/api/v1/usage': {
    get: {
      parameters: {
        query?: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
        }
      }
      responses: {
        200: { content: { 'application/json': {
          range_days: number
          total_requests: number
          total_tokens_in: number
          total_tokens_out: number
          total_cost_usd: string
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/usage/breakdown': {
    get: {
      parameters: {
        query: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
          by: string[]
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': {
          object: 'list'
          data: {
            group: string | null | (string | null)[]
            total_requests: number
            total_tokens_in: number
            total_tokens_out: number
            total_cost_usd: string
            total_saved_usd?: string
          }[]
          has_more: boolean
          next_cursor: string | null
          others: {
            total_requests: number
            total_tokens_in: number
            total_tokens_out: number
            total_cost_usd: string
            total_saved_usd?: string
          } | null
          range_days: number
          by: string[]
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/usage/export': {
    get: {
      parameters: {
        query: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
          format: 'csv' | 'jsonl'
        }
      }
      responses: {
        200: { content?: never }
        default: Failure
      }
    }
  }
  '/api/v1/usage/health': {
    get: {
      parameters: {
        query?: {
          days?: number
          from?: string
          to?: string
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tag?: string
          by?: string
          limit?: number
        }
      }
      responses: {
        200: { content: { 'application/json': {
          object: 'health'
          range_days: number
          counted_since: number
          by: string | null
          total: components['schemas']['HealthFigures']
          previous: components['schemas']['HealthFigures']
          data: {
            group: string | null
            requests: number
            completed: number
            error_rate: number | null
            errors: { type: string; requests: number }[]
            time_to_first_token_ms: { p50: number | null; p95: number | null }
            latency_ms: { p50: number | null; p95: number | null }
            tokens_per_second: number | null
            tokens_in: number
            cache_read_tokens: number
            cache_write_tokens: number
            cache_saved_usd: string
            previous: components['schemas']['HealthFigures'] | null
          }[]
          has_more: boolean
        } } }
        default: Failure
      }
    }
  }
  '/api/v1/usage/requests': {
    get: {
      parameters: {
        query?: {
          days?: number
          from?: string
          to?: string
          tag?: string[]
          key_id?: string
          member_id?: string
          project_id?: string
          model?: string
          provider?: string
          tier?: string
          endpoint?: 'chat.completions' | 'messages' | 'generate_content' | 'responses' | 'completions' | 'embeddings' | 'rerank' | 'moderations'
          operation?: 'generate' | 'embed' | 'rerank' | 'moderate'
          outcome?: 'completed' | 'client_closed' | 'upstream_cut' | 'credit_exhausted' | 'failed'
          limit?: number
          cursor?: string
        }
      }
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['Request']> } }
        default: Failure
      }
    }
  }
  '/api/v1/usage/requests/{request_id}': {
    get: {
      parameters: { path: { request_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['RequestDetail'] } }
        default: Failure
      }
    }
  }
  '/api/v1/usage/requests/{request_id}/log': {
    get: {
      parameters: { path: { request_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['RequestLog'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { request_id: string } }
      responses: {
        200: { content: { 'application/json': { id: string; object: 'request.log'; deleted: true } } }
        default: Failure
      }
    }
  }
  '/api/v1/vendor-keys': {
    get: {
      responses: {
        200: { content: { 'application/json': Page<components['schemas']['VendorKey']> } }
        default: Failure
      }
    }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': {
        provider: string
        name?: string
        secret: string
        allow_fallback_to_shared?: boolean
      } } }
      responses: {
        201: { content: { 'application/json': components['schemas']['VendorKey'] } }
        default: Failure
      }
    }
  }
  '/api/v1/vendor-keys/providers': {
    get: {
      responses: {
        200: { content: { 'application/json': components['schemas']['VendorKeyProviders'] } }
        default: Failure
      }
    }
  }
  '/api/v1/vendor-keys/{vendor_key_id}': {
    get: {
      parameters: { path: { vendor_key_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['VendorKey'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { vendor_key_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['VendorKey'] } }
        default: Failure
      }
    }
    patch: {
      parameters: { path: { vendor_key_id: string } }
      requestBody: { content: { 'application/json': {
        name?: string
        status?: 'active' | 'disabled'
        allow_fallback_to_shared?: boolean
        position?: number
      } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['VendorKey'] } }
        default: Failure
      }
    }
  }
  '/api/v1/vendor-keys/{vendor_key_id}/replace': {
    post: {
      parameters: {
        path: { vendor_key_id: string }
        header?: { 'Idempotency-Key'?: string }
      }
      requestBody: { content: { 'application/json': { secret: string } } }
      responses: {
        200: { content: { 'application/json': components['schemas']['VendorKey'] } }
        default: Failure
      }
    }
  }
  '/v1/chat/completions': {
    post: {
      parameters: {
        header?: {
          'x-turnpike-tags'?: string
          'x-turnpike-unsupported'?: 'refuse' | 'drop'
        }
      }
      requestBody: { content: { 'application/json': components['schemas']['ChatCompletionRequest'] } }
      responses: {
        200: { content: { 'application/json': components['schemas']['ChatCompletion'] } }
        default: Failure
      }
    }
  }
  '/v1/completions': {
    post: {
      parameters: {
        header?: {
          'x-turnpike-tags'?: string
          'x-turnpike-unsupported'?: 'refuse' | 'drop'
        }
      }
      requestBody: { content: { 'application/json': components['schemas']['CompletionRequest'] } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Completion'] } }
        default: Failure
      }
    }
  }
  '/v1/embeddings': {
    post: {
      parameters: {
        header?: {
          'x-turnpike-tags'?: string
          'x-turnpike-unsupported'?: 'refuse' | 'drop'
        }
      }
      requestBody: { content: { 'application/json': components['schemas']['EmbeddingsRequest'] } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Embeddings'] } }
        default: Failure
      }
    }
  }
  '/v1/messages': {
    post: {
      parameters: {
        header?: {
          'x-turnpike-tags'?: string
          'x-turnpike-unsupported'?: 'refuse' | 'drop'
          'anthropic-version'?: string
          'anthropic-beta'?: string
        }
      }
      requestBody: { content: { 'application/json': components['schemas']['MessagesRequest'] } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Message'] } }
        default: Failure
      }
    }
  }
  '/v1/messages/count_tokens': {
    post: {
      parameters: {
        header?: { 'anthropic-version'?: string; 'anthropic-beta'?: string }
      }
      requestBody: { content: { 'application/json': components['schemas']['CountTokensRequest'] } }
      responses: {
        200: { content: { 'application/json': components['schemas']['TokenCount'] } }
        default: Failure
      }
    }
  }
  '/v1/models': {
    get: {
      parameters: {
        query?: { limit?: number; after_id?: string; before_id?: string }
        header?: { 'anthropic-version'?: string }
      }
      responses: {
        200: { content: { 'application/json': { object: 'list'; data: components['schemas']['Model'][] } | {
          data: components['schemas']['AnthropicModel'][]
          has_more: boolean
          first_id: string | null
          last_id: string | null
        } } }
        default: Failure
      }
    }
  }
  '/v1/models/{model}': {
    get: {
      parameters: {
        path: { model: string }
        header?: { 'anthropic-version'?: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['Model'] | components['schemas']['AnthropicModel'] } }
        default: Failure
      }
    }
  }
  '/v1/moderations': {
    post: {
      parameters: {
        header?: {
          'x-turnpike-tags'?: string
          'x-turnpike-unsupported'?: 'refuse' | 'drop'
        }
      }
      requestBody: { content: { 'application/json': components['schemas']['ModerationRequest'] } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Moderation'] } }
        default: Failure
      }
    }
  }
  '/v1/rerank': {
    post: {
      parameters: {
        header?: {
          'x-turnpike-tags'?: string
          'x-turnpike-unsupported'?: 'refuse' | 'drop'
        }
      }
      requestBody: { content: { 'application/json': components['schemas']['RerankRequest'] } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Ranking'] } }
        default: Failure
      }
    }
  }
  '/v1/responses': {
    post: {
      requestBody: { content: { 'application/json': components['schemas']['ResponsesRequest'] } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Response'] } }
        default: Failure
      }
    }
  }
  '/v1/responses/compact': {
    post: {
      requestBody: { content: { 'application/json': components['schemas']['ResponsesRequest'] } }
      responses: {
        200: { content: { 'application/json': components['schemas']['Compaction'] } }
        default: Failure
      }
    }
  }
  '/v1/responses/input_tokens': {
    post: {
      requestBody: { content: { 'application/json': components['schemas']['ResponsesRequest'] } }
      responses: {
        200: { content: { 'application/json': components['schemas']['InputTokenCount'] } }
        default: Failure
      }
    }
  }
  '/v1/responses/{response_id}': {
    get: {
      parameters: {
        query?: { include?: string[] }
        path: { response_id: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['Response'] } }
        default: Failure
      }
    }
    delete: {
      parameters: { path: { response_id: string } }
      responses: {
        200: { content: { 'application/json': components['schemas']['DeletedResponse'] } }
        default: Failure
      }
    }
  }
  '/v1/responses/{response_id}/input_items': {
    get: {
      parameters: {
        query?: {
          limit?: number
          order?: 'asc' | 'desc'
          after?: string
          include?: string[]
        }
        path: { response_id: string }
      }
      responses: {
        200: { content: { 'application/json': components['schemas']['ResponseItemList'] } }
        default: Failure
      }
    }
  }
}

export type Schemas = components['schemas']
