/* The plan on its way to a worker. */
#include "hunt/private.h"

#include <jansson.h>
#include <string.h>

static json_t *config_to_json(const struct cc_config *c)
{
    struct text emulator = {0};
    if (!c)
        return json_null();
    str_join_command(&emulator, c->emulator);
    json_t *j = json_pack("{s:s, s:s}", "text", c->text, "emulator", text_str(&emulator));
    text_free(&emulator);
    return j;
}

static bool config_from_json(struct arena *a, const json_t *j, struct cc_config *out, struct err *e)
{
    return cc_config_parse(a, record_text(j, "text"), record_text(j, "emulator"), out, e);
}

static json_t *tools_to_json(const struct judge_tools *t)
{
    json_t *voters = json_array();
    for (size_t i = 0; i < t->voter_count; i++)
        json_array_append_new(voters, config_to_json(&t->voters[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o}", "gcc_san", config_to_json(t->gcc_san),
                     "clang_san", config_to_json(t->clang_san), "clang_msan",
                     config_to_json(t->clang_msan), "plain", config_to_json(t->plain), "valgrind",
                     t->valgrind ? t->valgrind : "", "voters", voters);
}

static const struct cc_config *tool_from_json(struct arena *a, const json_t *tools, const char *key)
{
    struct cc_config *c = NEW(a, struct cc_config);
    const json_t *j = json_object_get(tools, key);
    return json_is_object(j) && config_from_json(a, j, c, NULL) ? c : NULL;
}

static void tools_from_json(struct arena *a, const json_t *j, struct judge_tools *t)
{
    const json_t *voters = json_object_get(j, "voters");
    struct cc_config *list = NEW_ARRAY(a, json_array_size(voters), struct cc_config);
    *t = (struct judge_tools){.gcc_san = tool_from_json(a, j, "gcc_san"),
                              .clang_san = tool_from_json(a, j, "clang_san"),
                              .clang_msan = tool_from_json(a, j, "clang_msan"),
                              .plain = tool_from_json(a, j, "plain"),
                              .voters = list};
    if (*record_text(j, "valgrind"))
        t->valgrind = arena_string(a, record_text(j, "valgrind"));
    for (size_t i = 0; i < json_array_size(voters); i++)
        if (config_from_json(a, json_array_get(voters, i), &list[t->voter_count], NULL))
            t->voter_count++;
}

/* ---- pools ---------------------------------------------------------------------------- */

json_t *plan_pool_to_json(const struct cc_pool *pool)
{
    json_t *list = json_array();
    for (size_t i = 0; i < pool->n; i++) {
        const struct cc_flag *f = &pool->at[i];
        json_array_append_new(list, json_pack("[i, i, s, I, I]", (int)f->kind, (int)f->weight,
                                              f->text, (json_int_t)f->low, (json_int_t)f->high));
    }
    return list;
}

void plan_pool_from_json(struct arena *a, const json_t *list, struct cc_pool *out)
{
    out->n = json_array_size(list);
    out->at = NEW_ARRAY(a, out->n, struct cc_flag);
    for (size_t i = 0; i < out->n; i++) {
        int kind = 0, weight = 0;
        const char *text = "";
        json_int_t low = 0, high = 0;
        json_unpack(json_array_get(list, i), "[i, i, s, I, I]", &kind, &weight, &text, &low, &high);
        out->at[i] = (struct cc_flag){(enum cc_flag_kind)kind, (unsigned)weight,
                                      arena_string(a, text), low, high};
    }
}

/* ---- the whole ------------------------------------------------------------------------- */

json_t *plan_to_json(const struct plan *p)
{
    json_t *configs = json_array(), *tools = json_array();
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_config *c = &p->configs[i];
        json_array_append_new(
            configs,
            json_pack("{s:o, s:o, s:s, s:o, s:s, s:I, s:I, s:b}", "cc", config_to_json(&c->cc),
                      "pool", plan_pool_to_json(&c->pool), "family", c->family, "version",
                      record_bytes(c->version, strlen(c->version)), "target",
                      plan_target_name(c->target), "features", (json_int_t)c->features,
                      "own_features", (json_int_t)c->own_features, "own", c->own));
    }
    for (size_t i = 0; i < TARGET_COUNT; i++)
        json_array_append_new(tools, tools_to_json(&p->tools[i]));
    return json_pack(
        "{s:I, s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:i, s:b, s:b, s:b, s:b, s:o, s:o}", "seed",
        (json_int_t)p->seed, "seeds", p->seeds ? p->seeds : "", "seeds_name",
        p->seeds_name ? p->seeds_name : "", "real", p->real ? p->real : "", "flags",
        p->flags ? p->flags : "", "source", p->source ? p->source : "", "source_timeout",
        p->source_timeout, "run_timeout", p->run_timeout, "compile_timeout", p->compile_timeout,
        "width", (int)p->width, "csmith", p->csmith, "trust", p->trust, "eager", p->eager,
        "machine", p->machine, "configs", configs, "tools", tools);
}

void plan_from_json(struct arena *a, const json_t *j, struct plan *out)
{
    const json_t *configs = json_object_get(j, "configs"), *tools = json_object_get(j, "tools");
    *out = (struct plan){
        .seed = (uint64_t)json_integer_value(json_object_get(j, "seed")),
        .run_timeout = json_real_value(json_object_get(j, "run_timeout")),
        .compile_timeout = json_real_value(json_object_get(j, "compile_timeout")),
        .width = (unsigned)json_integer_value(json_object_get(j, "width")),
        .csmith = json_is_true(json_object_get(j, "csmith")),
        .trust = json_is_true(json_object_get(j, "trust")),
        .eager = json_is_true(json_object_get(j, "eager")),
        .machine = json_is_true(json_object_get(j, "machine")),
        .real = *record_text(j, "real") ? arena_string(a, record_text(j, "real")) : NULL,
        .flags = *record_text(j, "flags") ? arena_string(a, record_text(j, "flags")) : NULL,
        .source = *record_text(j, "source") ? arena_string(a, record_text(j, "source")) : NULL,
        .source_timeout = json_real_value(json_object_get(j, "source_timeout")),
        .seeds_name = arena_string(a, record_text(j, "seeds_name")),
        .seeds = *record_text(j, "seeds") ? arena_string(a, record_text(j, "seeds")) : NULL,
    };
    out->configs = NEW_ARRAY(a, json_array_size(configs), struct plan_config);
    for (size_t i = 0; i < json_array_size(configs); i++) {
        const json_t *c = json_array_get(configs, i);
        struct plan_config *to = &out->configs[out->n];
        *to = (struct plan_config){
            .family = arena_string(a, record_text(c, "family")),
            .version = arena_string(a, record_text(c, "version")),
            .target = lang_target_named(record_text(c, "target")),
            .features = (uint64_t)json_integer_value(json_object_get(c, "features")),
            .own_features = (uint64_t)json_integer_value(json_object_get(c, "own_features")),
            .own = json_is_true(json_object_get(c, "own"))};
        plan_pool_from_json(a, json_object_get(c, "pool"), &to->pool);
        /* one that is gone by now is left out */
        out->n += config_from_json(a, json_object_get(c, "cc"), &to->cc, NULL);
    }
    for (size_t i = 0; i < TARGET_COUNT && i < json_array_size(tools); i++)
        tools_from_json(a, json_array_get(tools, i), &out->tools[i]);
    plan_make_lanes(a, out);
}
