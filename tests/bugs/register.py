"""Which test answers for which reported failure, by its number in the list of failures.

A failure of a kind that this version cannot have yet, for want of the part that would have it, is
in `LATER` with that part; everything else in `AREAS` is in `TESTS`.
"""

from __future__ import annotations

AREAS = (
    *("labels", "missing", "degenerate groups", "alignment", "dtypes", "dataframes", "csv"),
    *("column names", "sign", "statistics", "CLI", "scale", "inputs", "intersectional"),
    *("multi-class", "scores", "naming", "trust", "escaping", "categorical", "sample_weight"),
    *("reproducibility", "API", "report", "plots", "docs", "install"),
    *("additivity", "numerics", "interactions", "units"),
    *("float32", "tree learning", "sklearn API", "persistence", "safety"),
    *("export", "degenerate models"),
)

LATER: dict[str, str] = {}

TESTS: dict[str, tuple[str, ...]] = {
    # labels
    "U007": ("test_one_value_for_all_and_one_value_a_row_are_told_apart",),
    "U060": (
        "test_labels_of_every_type_are_the_same_decisions",
        "test_labels_of_every_type_give_the_numbers_of_zero_and_one",
    ),
    "U063": ("test_class_values_are_values_and_never_positions",),
    "U107": ("test_the_sentence_keeps_the_users_value",),
    "U108": ("test_the_documentation_says_which_labels_are_understood",),
    "U109": (
        "test_truth_values_are_labels_and_a_missing_one_is_missing",
        "test_a_missing_label_is_in_no_rate",
    ),
    "U135": ("test_the_other_favourable_value_turns_each_rate_into_its_counterpart",),
    "U149": ("test_the_favourable_value_may_sort_first_or_last",),
    "U151": (
        "test_a_rule_of_a_tree_names_the_class_that_is_decided_where_it_holds",
        "test_trees_of_several_classes_with_missing_values_are_read_back",
    ),
    "U152": ("test_texts_of_fixed_width_are_never_cut",),
    "U153": ("test_groups_stand_in_their_natural_order_whatever_the_rows",),
    "U161": ("test_any_number_of_groups_is_compared_with_any_of_them",),
    "U176": (
        "test_yes_and_no_are_an_error_or_the_named_value_in_every_container",
        "test_the_gap_of_yes_and_no_is_the_right_one",
    ),
    "U177": ("test_a_favourable_value_that_is_not_evident_is_never_guessed",),
    # missing
    "U001": (
        "test_a_missing_group_is_the_same_in_every_container",
        "test_no_way_to_write_missing_is_a_group_called_nan",
        "test_a_missing_group_is_treated_alike_in_every_container",
    ),
    "U003": (
        "test_every_way_in_has_the_same_policy",
        "test_every_input_refuses_missing_values_with_column_count_and_row",
        "test_a_missing_file_value_is_refused_as_one_in_memory_is",
    ),
    "U039": ("test_one_missing_number_spoils_no_other",),
    "U080": ("test_unknown_is_a_group_of_its_own_wherever_it_is_shown",),
    # degenerate groups
    "U004": ("test_nothing_over_nothing_is_not_a_number_and_says_why",),
    "U005": ("test_every_renderer_takes_what_is_not_estimable",),
    "U011": (
        "test_a_group_under_the_minimum_is_listed_and_counts",
        "test_a_gap_over_an_incomplete_comparison_is_never_a_number",
    ),
    "U015": (
        "test_a_sensitive_column_that_copies_an_outcome_is_told",
        "test_no_other_column_is_called_a_copy",
    ),
    "U017": ("test_attributes_are_never_mixed",),
    "U028": ("test_a_ratio_to_a_rate_of_zero_is_undefined_with_its_reason",),
    "U029": ("test_a_rule_of_zero_is_a_number_and_the_worst",),
    "U124": ("test_tiny_groups_are_flagged_and_never_dropped",),
    "U179": (
        "test_a_gap_over_an_incomplete_comparison_is_never_a_number",
        "test_two_groups_that_lack_what_a_rate_needs_have_no_gap_of_zero",
    ),
    # alignment
    "U012": (
        "test_the_same_labels_in_another_order_pair_by_label_and_it_is_said",
        "test_the_gap_is_of_the_rows_that_belong_together",
        "test_labels_that_cannot_be_paired_are_an_error_that_says_what_to_do",
        "test_other_lengths_are_an_error_with_both",
    ),
    "U013": (
        "test_labels_of_an_index_are_never_positions",
        "test_rows_that_were_sampled_are_audited_as_themselves",
    ),
    "U148": ("test_columns_are_known_by_name_and_never_by_place",),
    # dtypes
    "U021": (
        "test_group_codes_of_any_number_type_are_groups_as_they_are_written",
        "test_many_numbers_ask_for_ranges",
    ),
    "U023": ("test_every_level_stays_a_group_of_its_own",),
    "U061": ("test_objects_that_read_as_numbers_are_the_texts_they_are",),
    "U103": (
        "test_every_type_of_text_is_text_in_every_role",
        "test_every_dtype_of_texts_is_a_category",
    ),
    "U172": ("test_bands_of_cut_are_groups_in_their_order",),
    "U175": (
        "test_dates_are_groups_with_dates_as_labels",
        "test_dates_are_numbers_with_labels_that_are_dates",
        "test_dates_elsewhere_in_a_file_change_nothing",
    ),
    "U188": ("test_nullable_columns_are_read_alone_and_beside_others",),
    # dataframes
    "U075": (
        "test_an_audit_is_the_same_whatever_library_holds_the_data",
        "test_libraries_may_be_mixed",
    ),
    "U183": ("test_names_are_kept_in_every_library",),
    # csv
    "U096": (
        "test_a_byte_order_mark_is_no_part_of_the_first_name",
        "test_an_invisible_character_in_a_name_is_shown_by_the_error",
    ),
    "U097": (
        "test_a_file_that_is_no_utf_8_says_where_and_what_to_pass",
        "test_utf_8_is_read_wherever_the_machine_is",
    ),
    "U163": (
        "test_numbers_of_every_country_are_read_or_asked_about",
        "test_a_column_of_nearly_all_numbers_is_told_with_its_first_strange_row",
    ),
    "U164": ("test_quoted_decimal_commas_are_told_with_what_to_pass",),
    "U165": ("test_leading_zeros_are_kept", "test_numbers_that_only_name_rows_are_told"),
    "U191": (
        "test_the_separator_is_the_headers_and_is_told",
        "test_a_file_read_as_one_column_is_an_error",
    ),
    "U192": (
        "test_the_type_of_a_column_is_that_of_the_whole_file",
        "test_a_late_text_makes_no_second_level_of_a_digit_in_a_large_file",
    ),
    "U197": (
        "test_quoted_line_ends_are_values_and_rows_are_rows_of_data",
        "test_line_ends_change_nothing_that_is_read",
    ),
    # column names
    "U052": (
        "test_names_that_are_nearly_the_same_stay_apart",
        "test_crossed_groups_never_share_a_text",
        "test_crossed_columns_never_share_a_name",
    ),
    "U053": ("test_every_output_has_the_callers_names",),
    "U057": (
        "test_names_are_never_evaluated_or_altered",
        "test_a_condition_quotes_hard_names",
    ),
    "U059": ("test_names_are_never_evaluated_or_altered",),
    "U099": ("test_names_that_are_no_texts_are_shown_as_texts",),
    "U181": ("test_a_column_may_be_called_anything",),
    # sign
    "U116": ("test_every_output_says_which_outcome_is_favourable",),
    "U117": ("test_signs_do_not_depend_on_how_labels_are_coded_or_ordered",),
    "U131": ("test_the_gate_compares_the_very_gap_that_is_reported",),
    "U136": ("test_the_largest_gap_is_found_in_either_direction",),
    "U159": (
        "test_opposite_gaps_never_cancel",
        "test_equalized_odds_names_the_rate_with_the_larger_gap",
    ),
    # statistics
    "U132": (
        "test_every_interval_holds_the_number_it_belongs_to",
        "test_intervals_of_rates_are_those_of_scipy",
    ),
    "U133": (
        "test_the_interval_of_the_largest_gap_is_of_the_largest_gap",
        "test_a_gap_picked_after_looking_has_a_wider_interval_than_two_groups_have",
    ),
    # CLI
    "U144": (
        "test_there_is_one_gate_whichever_way_it_is_asked",
        "test_a_gate_has_no_sign",
        "test_what_cannot_be_decided_never_passes",
    ),
    "U145": (
        "test_the_exit_status_says_how_the_gate_went",
        "test_a_failed_gate_fails_whatever_is_written",
    ),
    # scale
    "U065": ("test_of_very_many_features_the_strongest_are_fitted_and_it_is_said",),
    "U067": ("test_memory_is_what_the_documentation_says",),
    "U068": ("test_small_data_start_no_thread_and_no_process",),
    "U083": (
        "test_only_columns_that_were_asked_for_are_read",
        "test_the_size_of_a_result_does_not_depend_on_the_number_of_rows",
    ),
    "U111": (
        "test_a_file_is_read_in_batches_and_gives_the_same_counts",
        "test_counts_of_batches_add_up_to_those_of_all_rows",
    ),
    "U112": ("test_limits_are_known_from_benchmarks",),
    "U113": ("test_one_pass_over_the_rows_serves_every_metric_and_grouping",),
    "U184": ("test_resampling_works_on_counts_and_never_on_rows",),
    "U185": ("test_one_pass_over_the_rows_serves_every_metric_and_grouping",),
    # inputs
    "U019": (
        "test_without_labels_nothing_that_needs_them_is_made_up",
        "test_what_needs_labels_is_an_error_without_them",
    ),
    "U024": ("test_sensitive_columns_are_what_they_are_among_the_features_and_apart",),
    "U025": ("test_no_column_has_to_have_a_certain_name",),
    "U168": ("test_an_audit_takes_neither_features_nor_a_model",),
    # intersectional
    "U009": (
        "test_several_columns_are_the_same_as_their_joint_column",
        "test_two_columns_crossed_are_the_same_as_their_joint_column",
    ),
    "U125": (
        "test_a_numeric_column_is_never_cut_without_being_asked",
        "test_ranges_are_those_asked_for_with_names_a_person_reads",
    ),
    # multi-class
    "U071": (
        "test_favourable_classes_fold_into_one",
        "test_favourable_classes_fold_into_one_for_a_tree",
        "test_the_documentation_tells_how_to_fold_classes",
    ),
    "U180": (
        "test_several_classes_are_never_taken_silently",
        "test_the_favourable_class_must_be_known_where_it_matters",
    ),
    # scores
    "U104": ("test_a_score_is_compared_as_it_is_whatever_its_scale",),
    "U173": (
        "test_impact_ratios_at_a_cut_off_of_all_rows_are_those_of_loops",
        "test_the_documentation_says_what_a_tie_is",
    ),
    # naming, trust, escaping
    "U160": (
        "test_the_glossary_has_a_formula_for_every_rate_and_gap",
        "test_a_name_that_fairlearn_has_means_the_same",
        "test_a_rate_is_within_its_group_and_never_a_share_of_all",
    ),
    "U027": (
        "test_every_number_follows_from_the_counts_beside_it",
        "test_no_count_is_smoothed_and_no_row_is_left_out",
        "test_every_number_of_a_group_follows_from_the_counts_beside_it",
    ),
    "U051": (
        "test_hostile_names_levels_and_classes_come_through_every_format",
        "test_names_are_never_read_as_mathematics_and_long_ones_are_shortened",
        "test_html_has_no_tag_but_its_own",
        "test_markdown_has_one_line_a_row_and_no_markup_of_names",
        "test_names_from_data_are_text",
        "test_names_are_text_in_what_notebooks_show",
    ),
    "U199": (
        "test_html_has_no_tag_but_its_own",
        "test_markdown_has_one_line_a_row_and_no_markup_of_names",
        "test_a_written_table_has_no_formula",
        "test_every_table_is_csv_with_its_rows_and_without_formulas",
        "test_a_page_holds_no_tag_that_the_data_wrote",
        "test_names_from_data_are_text",
        "test_data_for_scripts_is_strict_json_without_markup",
    ),
    # categorical
    "U069": ("test_the_minimum_size_holds_on_every_path",),
    "U077": (
        "test_a_category_is_one_feature_whatever_a_model_makes_of_it",
        "test_a_pipeline_is_explained_in_the_columns_of_its_frame",
    ),
    "U079": ("test_a_category_is_one_feature_whatever_a_model_makes_of_it",),
    "U100": (
        "test_levels_that_nobody_in_a_group_has_carry_nothing_there",
        "test_categories_that_nobody_has_are_listed_once_and_never_multiplied",
        "test_groups_that_no_row_has_cost_nothing",
    ),
    "U101": (
        "test_every_row_counts_for_its_own_category",
        "test_groups_of_random_columns_are_those_of_a_dictionary",
    ),
    # sample_weight
    "U084": (
        "test_a_weight_of_n_counts_like_n_rows",
        "test_whole_weights_are_repeated_rows_to_an_explanation",
    ),
    "U085": ("test_every_row_twice_or_any_scale_of_weights_changes_no_rate",),
    "U196": (
        "test_a_group_without_weight_has_no_rate_and_says_so",
        "test_what_is_no_weight_is_refused_with_its_row",
        "test_a_group_without_weight_is_not_compared",
        "test_what_is_no_weight_is_refused",
    ),
    # additivity, numerics, interactions, units
    "U033": (
        "test_influences_and_the_unexplained_add_up_to_the_gap",
        "test_influences_add_up_to_the_gap_that_was_measured_whatever_it_is",
    ),
    "U035": ("test_scores_of_any_size_have_the_same_shares",),
    "U076": ("test_influences_add_up_to_the_gap_that_was_measured_whatever_it_is",),
    "U036": ("test_a_constant_score_has_nothing_to_explain",),
    "U037": ("test_few_rows_of_equal_values_have_one_answer_and_no_error",),
    "U105": (
        "test_a_constant_feature_carries_exactly_nothing",
        "test_a_feature_of_few_values_has_a_function_of_each",
    ),
    "U129": (
        "test_numbers_of_any_size_are_features",
        "test_numbers_beyond_the_range_are_told_with_their_column",
    ),
    "U195": (
        "test_features_that_say_the_same_are_told_and_share_one_total",
        "test_categories_that_say_the_same_are_told_and_no_others_are",
    ),
    "U155": ("test_pairs_have_influences_of_any_model",),
    "U119": (
        "test_numbers_have_the_unit_of_the_rate_and_scores_their_own",
        "test_a_probability_and_its_logit_are_explained_as_they_are",
        "test_effects_are_in_points_of_the_favourable_rate",
    ),
    # reproducibility
    "U095": ("test_a_result_says_what_it_was_computed_from_and_with",),
    "U137": (
        "test_parallel_fits_give_the_same_trees",
        "test_trees_draw_nothing_and_move_no_generator",
        "test_any_number_of_threads_gives_the_same_bytes",
        "test_the_global_generator_is_neither_used_nor_moved",
    ),
    "U139": (
        "test_the_seed_is_a_parameter_and_moves_only_the_limits_of_gaps",
        "test_trees_draw_nothing_and_move_no_generator",
    ),
    # API
    "U008": ("test_a_metric_that_cannot_be_estimated_spoils_no_other",),
    "U156": (
        "test_an_option_that_is_not_known_is_an_error",
        "test_an_option_that_cannot_be_honoured_is_an_error_and_never_dropped",
        "test_an_option_of_a_file_that_cannot_be_honoured_is_an_error",
    ),
    "U171": ("test_several_thresholds_are_never_squashed_into_one",),
    # report, plots, docs, install
    "U081": (
        "test_a_page_of_many_groups_stays_small",
        "test_the_size_of_a_result_does_not_depend_on_the_number_of_rows",
        "test_the_same_story_gives_the_same_bytes_below_the_limit",
        "test_no_row_of_the_data_is_in_the_story",
        "test_a_document_stays_small_and_names_what_it_came_from",
    ),
    "U127": (
        "test_a_page_comes_with_every_number_the_tree_and_the_certificate",
        "test_each_layout_is_written_in_its_formats",
        "test_readable_forms_hold_every_group",
        "test_markdown",
        "test_csv_of_any_table",
    ),
    "U128": (
        "test_the_command_in_the_report_makes_the_same_report",
        "test_a_document_says_where_its_numbers_come_from",
        "test_a_result_says_what_it_was_computed_from_and_with",
        "test_a_page_says_what_it_was_made_of_and_how_to_make_it_again",
    ),
    "U016": (
        "test_what_is_not_estimable_is_marked_and_has_no_mark_or_line",
        "test_plots_take_what_is_not_estimable",
        "test_what_is_not_known_is_marked_and_the_picture_is_drawn",
        "test_a_group_without_a_rate_has_no_bar_and_a_row",
    ),
    "U020": ("test_each_group_is_at_its_rate_with_n_beside_its_name",),
    "U064": (
        "test_more_groups_than_a_palette_has_colours_is_no_trouble",
        "test_a_page_draws_more_groups_than_a_palette_has_colours",
    ),
    "U140": (
        "test_names_equal_in_their_first_119_characters_stay_apart",
        "test_names_that_differ_only_in_the_middle_are_numbered",
        "test_long_names_never_raise_and_stay_apart",
        "test_names_that_differ_in_the_middle_show_where",
        "test_long_names_of_a_pair_show_how_they_differ",
        "test_bars_of_names_alike_in_119_characters_stay_apart",
    ),
    "U141": (
        "test_names_longer_than_the_figure_never_raise",
        "test_no_text_is_on_another_or_outside_of_the_picture",
    ),
    "U143": (
        "test_of_many_groups_the_others_are_counted_and_their_range_drawn",
        "test_the_sum_is_kept_however_few_bars_are_drawn",
        "test_a_comparison_of_many_keeps_its_sum",
        "test_no_text_is_on_another_or_outside_of_the_picture",
        "test_a_waterfall_of_many_features_keeps_the_sum",
    ),
    "U169": ("test_every_table_says_who_is_compared_with_whom_and_which_way",),
    "U072": (
        "test_importing_arbitree_loads_nothing_slow",
        "test_an_audit_loads_no_compiler_and_no_plots",
    ),
    "U073": ("test_the_oldest_versions_are_the_lower_bounds",),
    # models in other formats
    "U045": (
        "test_values_on_a_threshold_are_decided_alike_in_every_format",
        "test_every_format_decides_as_the_tree_on_100_000_rows",
        "test_the_largest_float64_is_exactly_where_rounding_changes_sides",
    ),
    "U088": ("test_missing_values_keep_their_branch_in_onnx",),
    "U089": ("test_missing_values_keep_their_branch_in_scikit_learn",),
    "U092": (
        "test_large_and_small_doubles_are_decided_alike_in_onnx",
        "test_an_audit_of_the_onnx_model_is_of_what_it_decides",
    ),
    "U049": ("test_names_may_stand_in_any_list_of_texts",),
    "U091": (
        "test_a_tree_of_one_leaf_is_told_drawn_explained_and_certified",
        "test_a_tree_of_one_leaf_is_written_in_every_format",
        "test_a_tree_of_one_leaf_is_read_back",
        "test_a_constant_tree_is_one_box",
        "test_trees_of_several_classes_and_of_one_leaf_are_shown",
    ),
    # trees
    "U031": ("test_a_value_at_the_threshold_goes_left_and_its_float32_neighbour_right",),
    "U187": (
        "test_a_missing_age_that_is_approved_violates_a_rule_on_minors",
        "test_a_domain_without_missing_values_needs_no_guard_against_them",
    ),
    "U032": ("test_a_float64_near_the_threshold_takes_the_path_of_its_float32",),
    "U040": ("test_a_value_at_the_threshold_goes_left_and_its_float32_neighbour_right",),
    "U041": ("test_the_digits_of_a_written_threshold_reproduce_every_decision",),
    "U043": (
        "test_rescaled_features_decide_alike",
        "test_a_threshold_is_in_the_middle_of_the_values_of_its_node",
    ),
    "U044": ("test_of_equal_splits_the_first_feature_and_the_lowest_threshold_win",),
    "U047": ("test_thresholds_keep_every_bit_in_their_shortest_digits",),
    "U048": (
        "test_texts_are_levels_and_whole_numbers_are_numbers_unless_declared",
        "test_levels_are_told_apart_without_one_hot_coding",
    ),
    "U055": ("test_missing_numbers_go_to_the_side_with_the_larger_gain",),
    "U056": (
        "test_every_check_of_the_scikit_learn_contract_passes",
        "test_clones_fit_as_the_original_does",
    ),
    "U087": (
        "test_missing_values_spoil_no_count_of_the_next_split",
        "test_the_first_split_is_the_best_of_all_thresholds_and_subsets",
    ),
    "U093": ("test_the_same_rows_give_the_same_bytes",),
    "U115": ("test_groups_are_routed_to_fit_by_name",),
    "U120": ("test_a_split_with_a_pure_child_is_a_split",),
    "U121": ("test_a_number_at_the_threshold_goes_left_and_the_next_float32_right",),
    "U123": ("test_a_tree_of_one_leaf_says_why",),
    "U147": ("test_decisions_are_labels_and_scores_are_shares_of_right_ones",),
    "U157": (
        "test_a_tree_written_by_the_first_version_decides_as_it_did",
        "test_a_fitted_tree_decides_alike_in_another_process",
        "test_decisions_are_audited_without_the_model_that_made_them",
        "test_a_pickle_is_not_opened_unless_it_is_allowed",
        "test_the_result_says_which_model_file_decided",
    ),
    "U167": ("test_simplifying_changes_no_decision_and_leaves_no_equal_siblings",),
    "U189": ("test_identical_columns_are_split_at_the_first_whatever_the_seed",),
    "U193": ("test_a_mixed_frame_needs_no_encoder_before_the_tree",),
}
