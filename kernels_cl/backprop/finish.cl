// What is small in backprop.cl, by one group: hidden units, outputs, errors, the second layer's weights.

static inline float sigmoid(const float t) { return 1.0f / (1.0f + exp(-t)); }

// Sums of groups into `hidden`, which has whole vectors; units behind the last one are not used.
INLINED void add_groups(const global realv* partial, global float* hidden, local realv* products, const uint groups,
                        const uint vectors, const uint item) {
  // Nothing needs this barrier but PoCL 5.0, which in some builds compiles a loop with barriers wrongly where none stands
  // before it.
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint block = 0; block < vectors; block += LANES) {
    const uint column = block + item % LANES;
    realv sum = 0.0f;
    if (column < vectors) {
      for (uint group = item / LANES; group < groups; group += ROWS) sum += partial[group * (size_t)vectors + column];
    }
    sum = sum_of_rows(sum, products, item);
    if (item < LANES && column < vectors) STOREV(sum, column * VECTOR_WIDTH, hidden);
  }
}

// `errors` has whole vectors, behind the last unit zeros. `weights` and `changes` are of the second layer.
ANY_KERNEL void finish(const global realv* restrict partial, const global float* restrict targets,
                       global float* restrict weights, global float* restrict changes, global float* restrict hidden,
                       global float* restrict errors, global float* restrict output, global float* restrict output_errors,
                       const uint groups, const uint vectors, const uint hidden_units, const uint outputs,
                       const float rate, const float momentum) {
  local realv products[WORK_GROUP];
  const uint item = item_number();
  add_groups(partial, hidden, products, groups, vectors, item);
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint j = item; j < hidden_units; j += WORK_GROUP) hidden[j] = sigmoid(hidden[j]);
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint k = item; k < outputs; k += WORK_GROUP) {
    float sum = weights[k];
    for (uint j = 0; j < hidden_units; ++j) sum = MULTIPLY_ADD(hidden[j], weights[(j + 1) * outputs + k], sum);
    const float value = sigmoid(sum);
    output[k] = value;
    output_errors[k] = value * (1.0f - value) * (targets[k] - value);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint j = item; j < vectors * VECTOR_WIDTH; j += WORK_GROUP) {
    float sum = 0.0f;
    if (j < hidden_units) {
      for (uint k = 0; k < outputs; ++k) sum = MULTIPLY_ADD(output_errors[k], weights[(j + 1) * outputs + k], sum);
      sum *= hidden[j] * (1.0f - hidden[j]);
    }
    errors[j] = sum;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint at = item; at < (hidden_units + 1) * outputs; at += WORK_GROUP) {
    const float value = at < outputs ? 1.0f : hidden[at / outputs - 1];
    const float change = MULTIPLY_ADD(rate * output_errors[at % outputs], value, momentum * changes[at]);
    changes[at] = change;
    weights[at] += change;
  }
}
